import { FormatError, type AddChange, type FileFormat } from '../format';
import { TextDocument, type Edit } from '../core/document';
import { checkChanges } from '../core/splice-file';
import type { Change, FormatFile, FormatUnit, ParseOptions, SetChange } from '../format';
import { blankFile, makeUnit } from '../core/define';
import { columnsOf, formColumn, formsOf, type ColumnName } from '../csv/columns';
import { descendants, elements, firstElement, XmlTree, type XmlElement } from '../xml/tree';
import { ZipArchive } from './zip';

interface Cell {
  element: XmlElement | undefined;
  text: string;
}

interface Row {
  element: XmlElement;
  number: number;
  cells: Map<number, Cell>;
}

interface XlsxUnit extends FormatUnit {
  row: Row;
}

const MAX_COLUMNS = 100;
const TRUE = /^(?:true|yes|1|fuzzy)$/i;

/** `AB12` gives 27. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function columnName(column: number): string {
  return column < 26
    ? String.fromCharCode(65 + column)
    : columnName(Math.floor(column / 26) - 1) + columnName(column % 26);
}

/** Member name of the first sheet. */
function sheetName(archive: ZipArchive, options: ParseOptions): string {
  const tree = (name: string): XmlTree | undefined => {
    const bytes = archive.read(name);
    return bytes && new XmlTree(new TextDocument(bytes, { limits: options.limits }));
  };
  const workbook = tree('xl/workbook.xml');
  const sheet = workbook && descendants(workbook.root, 'sheet').next().value;
  const relation = sheet?.attributes['r:id'];
  const relations = tree('xl/_rels/workbook.xml.rels');
  const target =
    relations &&
    elements(relations.root, 'Relationship').find((item) => item.attributes['Id'] === relation)?.attributes['Target'];
  const name =
    target === undefined ? 'xl/worksheets/sheet1.xml' : target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  if (!archive.names.includes(name)) throw new FormatError('syntax', 'not a workbook: it has no sheet', 1, 1);
  return name;
}

/** Text of a string item without phonetic runs. */
function itemText(tree: XmlTree, item: XmlElement): string {
  return [...descendants(item, 't')]
    .filter((t) => t.parent?.local !== 'rPh')
    .map((t) => tree.textOf(t))
    .join('')
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

class XlsxFile implements FormatFile {
  readonly format = 'xlsx';
  readonly units: readonly XlsxUnit[];
  readonly metadata: FormatFile['metadata'];
  private readonly archive: ZipArchive;
  private readonly name: string;
  private readonly tree: XmlTree;
  private readonly rows: readonly Row[];
  private readonly columns: readonly (ColumnName | undefined)[];

  constructor(
    bytes: Buffer,
    private readonly options: ParseOptions,
  ) {
    this.archive = new ZipArchive(bytes, options.limits);
    this.name = sheetName(this.archive, options);
    const document = new TextDocument(this.archive.read(this.name) as Buffer, { limits: options.limits });
    this.tree = new XmlTree(document);
    this.rows = this.readRows(this.sharedStrings());
    const table = this.rows.map((row) =>
      Array.from({ length: Math.max(-1, ...row.cells.keys()) + 1 }, (_, i) => row.cells.get(i)?.text ?? ''),
    );
    const { columns, skip } = columnsOf(table, false);
    this.columns = columns;
    this.units = this.readUnits(document, skip);
    this.metadata = {
      charset: 'utf-8',
      bom: false,
      eol: '\n',
      monolingual: options.monolingual ?? false,
      headers: new Map(),
    };
  }

  private sharedStrings(): string[] {
    const bytes = this.archive.read('xl/sharedStrings.xml');
    if (!bytes) return [];
    const tree = new XmlTree(new TextDocument(bytes, { limits: this.options.limits }));
    return elements(tree.root, 'si').map((item) => itemText(tree, item));
  }

  private readRows(shared: readonly string[]): Row[] {
    const data = firstElement(this.tree.root, 'sheetData');
    return elements(data, 'row').map((element, i) => {
      const cells = new Map<number, Cell>();
      elements(element, 'c').forEach((cell, at) => {
        const reference = cell.attributes['r'];
        const column = reference === undefined ? at : columnOf(reference);
        if (column < MAX_COLUMNS) cells.set(column, { element: cell, text: this.cellText(cell, shared) });
      });
      return { element, number: Number(element.attributes['r'] ?? i + 1), cells };
    });
  }

  private cellText(cell: XmlElement, shared: readonly string[]): string {
    const { tree } = this;
    if (cell.attributes['t'] === 'inlineStr') return itemText(tree, firstElement(cell, 'is') ?? cell);
    const value = firstElement(cell, 'v');
    const text = value ? tree.textOf(value) : '';
    return cell.attributes['t'] === 's' ? (shared[Number(text)] ?? '') : text;
  }

  private readUnits(document: TextDocument, skip: number): XlsxUnit[] {
    const units: XlsxUnit[] = [];
    for (const row of this.rows.slice(skip)) {
      const text = (name: ColumnName): string => row.cells.get(this.columns.indexOf(name))?.text ?? '';
      const [source, target, id] = [text('source'), text('target'), text('id')];
      if (source === '' && target === '' && id === '') continue;
      const forms = formsOf(this.columns, text, this.options.plural?.count);
      const monolingual = this.options.monolingual ?? false;
      const key = monolingual ? id || text('context') || source : text('context') || id;
      const fuzzy = TRUE.test(text('fuzzy'));
      const parts = {
        context: key,
        source: [monolingual && source === '' ? key : source],
        target: forms,
        plural: forms.length > 1,
        offset: row.element.start,
        note: text('note'),
        comment: text('comment'),
        location: text('location'),
        ...(forms.join('') !== '' && fuzzy ? ({ state: 'fuzzy' } as const) : {}),
      };
      units.push(makeUnit(document, units.length, parts, { row }));
    }
    return units;
  }

  apply(changes: readonly Change[]): Buffer {
    checkChanges(this, changes);
    const edits: Edit[] = [];
    const adds = changes.filter((change) => change.op === 'add');
    for (const change of changes) {
      if (change.op === 'set') edits.push(...this.set(this.units[change.index] as XlsxUnit, change));
      else if (change.op === 'remove') {
        const { element } = (this.units[change.index] as XlsxUnit).row;
        edits.push({ start: element.start, end: element.end, text: '' });
      }
    }
    if (adds.length > 0) edits.push(this.add(adds));
    return edits.length === 0
      ? this.archive.replace(new Map())
      : this.archive.replace(new Map([[this.name, this.tree.document.splice(edits)]]));
  }

  private set(unit: XlsxUnit, { target, state }: SetChange): Edit[] {
    const changed = target.flatMap((text, form): [number, string][] =>
      unit.target[form] === text ? [] : [[this.columns.indexOf(formColumn(form)), text]],
    );
    const mark = this.columns.indexOf('fuzzy');
    const fuzzy = state === 'fuzzy';
    if (mark >= 0 && state !== undefined && TRUE.test(unit.row.cells.get(mark)?.text ?? '') !== fuzzy)
      changed.push([mark, fuzzy ? 'True' : '']);
    // Cells that are inserted at the same place go in the order of their columns.
    return changed.sort(([one], [other]) => one - other).flatMap(([column, text]) => this.setCell(unit, column, text));
  }

  private setCell({ row }: XlsxUnit, column: number, text: string): Edit[] {
    if (column < 0) throw new FormatError('unsupported', 'the sheet has no column for the plural form');
    const old = row.cells.get(column)?.element;
    const cell = this.cell(`${columnName(column)}${row.number}`, text, old?.attributes['s']);
    if (old) return [{ start: old.start, end: old.end, text: cell }];
    const before = [...row.cells].filter(([at, { element }]) => at < column && element).at(-1)?.[1].element;
    const at = before?.end ?? row.element.openEnd;
    return [{ start: at, end: at, text: cell }];
  }

  private cell(reference: string, text: string, style: string | undefined): string {
    const escaped = text.replace(/_x[0-9A-Fa-f]{4}_/g, (code) => `_x005F${code}`);
    return `<c r="${reference}"${style === undefined ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${this.tree.escape(escaped)}</t></is></c>`;
  }

  private add(changes: readonly AddChange[]): Edit {
    const data = firstElement(this.tree.root, 'sheetData');
    if (!data || data.selfClosing) throw new FormatError('unsupported', 'the sheet has no rows');
    const last = Math.max(0, ...this.rows.map((row) => row.number));
    const rows = changes.map((change, i) => {
      const number = last + i + 1;
      const keyColumn = this.columns.includes('context') ? 'context' : 'id';
      const values: Partial<Record<ColumnName, string>> = {
        source: this.options.monolingual ? '' : (change.source[0] ?? ''),
        target: change.target[0],
        [keyColumn]: change.context,
        note: change.note,
        location: change.location,
        fuzzy: change.state === 'fuzzy' ? 'True' : '',
      };
      const cells = this.columns.map((name, column) => {
        const value = name === undefined ? undefined : values[name];
        return value ? this.cell(`${columnName(column)}${number}`, value, undefined) : '';
      });
      return `<row r="${number}">${cells.join('')}</row>`;
    });
    return { start: data.closeStart, end: data.closeStart, text: rows.join('') };
  }
}

/** The first sheet of a workbook, with columns as in CSV. Changed cells use inline strings; everything else is kept. */
export const xlsx: FileFormat = {
  id: 'xlsx',
  parse: (bytes, options = {}) => new XlsxFile(bytes, options),
  createTranslation(base, options) {
    if (!base) throw new FormatError('base-required', 'a new workbook requires a base file');
    return blankFile((bytes) => new XlsxFile(bytes, {}), base, options);
  },
};
