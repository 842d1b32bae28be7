import { utf8OrWindows } from '../core/charset';
import type { Edit, TextDocument } from '../core/document';
import {
  columnsOf,
  EXPORT_COLUMNS,
  formColumn,
  formsOf,
  guardFormula,
  unguardFormula,
  type ColumnName,
} from './columns';
import {
  insertLines,
  keyedFormat,
  onlyText,
  type KeyedContext,
  type KeyedParts,
  type KeyedUnit,
  type Slot,
} from '../core/keyed';
import type { BaseFile } from '../core/splice-file';
import { FormatError, type AddChange, type FileFormat, type SetChange, type UnitState } from '../format';

/** A field with its range, including quotes. */
interface Field {
  start: number;
  end: number;
  text: string;
  quoted: boolean;
}

export interface CsvTable {
  rows: Field[][];
  delimiter: string;
}

const MAX_COLUMNS = 1000;

/** Delimiters in the order in which a tie is decided. */
const DELIMITERS = [',', ';', '\t', '|'];

function detectDelimiter(text: string): string {
  const line = text.slice(0, Math.max(0, text.search(/\r?\n|$/)));
  const bare = line.replace(/"(?:[^"]|"")*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length - 1);
  const best = Math.max(...counts);
  return best === 0 ? ',' : (DELIMITERS[counts.indexOf(best)] as string);
}

/** Line ends inside fields of a document. */
const breaksOf = new WeakMap<TextDocument, readonly number[]>();

/** The line end inside a field: that of the nearest multi-line field. Spreadsheets use other line ends between rows. */
function innerEol(document: TextDocument, offset: number): string {
  const breaks = breaksOf.get(document) ?? [];
  let low = 0;
  for (let high = breaks.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((breaks[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  const [before = -Infinity, after = Infinity] = [breaks[low - 1], breaks[low]];
  const nearest = offset - before < after - offset ? before : after;
  return document.eolAt(Number.isFinite(nearest) ? nearest : offset);
}

/** Splits a file into rows of fields. Skips blank lines. */
function readTable(document: TextDocument): CsvTable {
  const { text } = document;
  const delimiter = detectDelimiter(text);
  const code = delimiter.charCodeAt(0);
  const rows: Field[][] = [];
  const breaks: number[] = [];
  let row: Field[] = [];
  let at = 0;
  while (at < text.length) {
    const field = text.charCodeAt(at) === 34 ? quotedField(document, at, code) : plainField(text, at, code);
    row.push(field);
    if (field.quoted && field.text.includes('\n')) breaks.push(text.indexOf('\n', field.start));
    if (row.length > MAX_COLUMNS) throw document.error(`more than ${MAX_COLUMNS} columns`, at, 'limit');
    at = field.end;
    if (text.charCodeAt(at) === code) {
      at += 1;
      if (at < text.length) continue;
      row.push({ start: at, end: at, text: '', quoted: false });
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    if (row.length > 1 || row[0]?.text !== '' || row[0].quoted) rows.push(row);
    row = [];
  }
  breaksOf.set(document, breaks);
  return { rows, delimiter };
}

function plainField(text: string, start: number, delimiter: number): Field {
  let end = start;
  for (let code = text.charCodeAt(end); end < text.length; code = text.charCodeAt(end)) {
    if (code === delimiter || code === 10 || code === 13) break;
    end += 1;
  }
  return { start, end, text: text.slice(start, end), quoted: false };
}

function quotedField(document: TextDocument, start: number, delimiter: number): Field {
  const { text } = document;
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) throw document.error('a field is not closed', start);
    // Some writers escape a quote with a backslash.
    const next = text.charCodeAt(quote + 1);
    if (next === 34) {
      value += text.slice(from, quote + 1);
      from = quote + 2;
      continue;
    }
    value += text.slice(from, quote);
    if (quote + 1 < text.length && next !== delimiter && next !== 10 && next !== 13) {
      throw document.error('text after a closing quote', quote + 1);
    }
    return { start, end: quote + 1, text: value.replaceAll('\r\n', '\n'), quoted: true };
  }
}

interface Flavour {
  id: string;
  charset: 'utf-8' | 'iso-8859-1' | undefined;
  /** Two columns without headings. */
  simple: boolean;
  /** Rows with the same source are the values of one string. */
  multi: boolean;
}

const TRUE = /^(?:true|yes|1|fuzzy)$/i;

function read(context: KeyedContext, { simple, multi }: Flavour): KeyedParts[] {
  const { document, options } = context;
  const { rows, delimiter } = readTable(document);
  const { columns, skip } = columnsOf(
    rows.map((row) => row.map((field) => field.text)),
    simple,
  );
  const plain = isExport(document) ? unguardFormula : (value: string): string => value;
  const found: KeyedParts[] = [];
  const byKey = new Map<
    string,
    { parts: KeyedParts; target: string[]; slots: (Slot | undefined)[]; removal: Slot[] }
  >();
  for (const row of rows.slice(skip)) {
    const field = (name: ColumnName): Field | undefined => row[columns.indexOf(name)];
    const text = (name: ColumnName): string => plain(field(name)?.text ?? '');
    const start = (row[0] as Field).start;
    const source = text('source');
    const id = text('id');
    if (source === '' && id === '' && text('target') === '') continue;
    const key = options.monolingual ? id || text('context') || source : text('context') || id;
    const slot = field('target');
    const fuzzy = field('fuzzy');
    const target = text('target');
    const forms = multi ? [target] : formsOf(columns, text, options.plural?.count);
    const state: UnitState = forms.join('') === '' ? 'empty' : TRUE.test(fuzzy?.text ?? '') ? 'fuzzy' : 'translated';
    const removal = [{ start, end: document.lineEnd((row.at(-1) as Field).end) }];
    const known = multi ? byKey.get(`${key}\0${source}`) : undefined;
    if (known && slot) {
      known.target.push(target);
      known.slots.push(slot);
      known.removal.push(...removal);
      known.parts.plural = true;
      continue;
    }
    const plural = forms.length > 1;
    const targets = plural ? forms : [target];
    const slots = plural ? forms.map((_, i) => field(formColumn(i))) : slot ? [slot] : [];
    const parts: KeyedParts = {
      context: key,
      source: [options.monolingual && source === '' ? key : source],
      target: targets,
      plural,
      state,
      offset: start,
      note: text('note'),
      comment: text('comment'),
      location: text('location'),
      slots,
      removal,
      grow: (missing) => growRow(row, columns, delimiter, missing),
      mark: (change) => markFuzzy(fuzzy, change),
    };
    found.push(parts);
    if (multi) byKey.set(`${key}\0${source}`, { parts, target: targets, slots, removal });
  }
  return found;
}

/** Whether a file has exactly our headings, which implies guarded formulas. */
function isExport({ text }: TextDocument): boolean {
  let head = /^[^\r\n]*/.exec(text)![0].replaceAll('"', '');
  while (/^,target\[\d\]$/.test(head.slice(-10))) head = head.slice(0, -10);
  return head === EXPORT_COLUMNS.join(',');
}

/** Extends a row that ends before the column of its text. */
function growRow(
  row: readonly Field[],
  columns: readonly (ColumnName | undefined)[],
  delimiter: string,
  missing: readonly [number, string][],
): Edit[] {
  const texts = missing.map(([form, text]) => ({ at: columns.indexOf(formColumn(form)), text }));
  if (texts.some(({ at }) => at < 0)) throw new FormatError('unsupported', 'the file has no column for the target');
  const end = (row.at(-1) as Field).end;
  let width = row.length;
  let written = '';
  for (const { at, text } of texts.sort((one, other) => one.at - other.at)) {
    written += delimiter.repeat(at - width + 1) + quoteField(text, delimiter, false);
    width = at + 1;
  }
  return [{ start: end, end, text: written }];
}

function markFuzzy(field: Field | undefined, change: SetChange): Edit[] {
  if (!field || change.state === undefined) return [];
  const fuzzy = change.state === 'fuzzy';
  if (TRUE.test(field.text) === fuzzy) return [];
  const value = fuzzy ? 'True' : '';
  return [{ start: field.start, end: field.end, text: field.quoted ? `"${value}"` : value }];
}

/** Quotes a text if it needs quotes or the file quotes all fields. */
export function quoteField(text: string, delimiter: string, always: boolean): string {
  if (!always && !/^\s|\s$|["\r\n,;\t|]/.test(text) && !text.includes(delimiter)) return text;
  return `"${text.replaceAll('"', '""')}"`;
}

/** Encodes a text for an existing field. */
function fieldLike(document: TextDocument, text: string, slot: Slot): string {
  return quoteField(isExport(document) ? guardFormula(text) : text, ',', document.text[slot.start] === '"');
}

/** The base's row of a string with its unknown columns and the new target. */
function copiedRow({ document }: BaseFile<KeyedUnit>, unit: KeyedUnit, change: AddChange): string {
  const text = onlyText(change);
  const [slot, row] = [unit.slots[0], unit.removal[0] as Slot];
  const edits = [
    ...(slot ? [{ ...slot, text: fieldLike(document, text, slot) }] : (unit.grow?.([[0, text]]) ?? [])),
    ...(unit.mark?.({ ...change, op: 'set', index: 0 }) ?? []),
  ].sort((a, b) => a.start - b.start);
  return document
    .piece(row.start, row.end, edits)
    .replace(/\r?\n$/, '')
    .replaceAll('\r\n', '\n');
}

function add(
  context: KeyedContext,
  changes: readonly AddChange[],
  flavour: Flavour,
  base: BaseFile<KeyedUnit> | undefined,
): Edit[] {
  const { document, options } = context;
  const { rows, delimiter } = readTable(document);
  const { columns, skip } = columnsOf(
    rows.map((row) => row.map((field) => field.text)),
    flavour.simple,
  );
  const last = rows.at(-1);
  const always = last?.every((field) => field.quoted) ?? false;
  const sourceColumn = columns.includes('source');
  const head = (of: TextDocument): string | undefined => /^[^\r\n]*/.exec(of.text)?.[0];
  const sameHead = base !== undefined && skip > 0 && head(base.document) === head(document);
  const rowsOf = sameHead && !flavour.multi ? base : undefined;
  const lines = changes.flatMap((change) => {
    const unit = rowsOf?.entryOf(change);
    if (rowsOf && unit) return [copiedRow(rowsOf, unit, change)];
    const targets = flavour.multi ? change.target : [onlyText(change)];
    return targets.map((target) => {
      const source = options.monolingual
        ? columns.includes('id') || columns.includes('context')
          ? ''
          : change.context
        : (change.source[0] ?? '');
      const keyColumn =
        columns.includes('context') && !(options.monolingual && columns.includes('id')) ? 'context' : 'id';
      const values: Readonly<Record<string, string>> = {
        source: sourceColumn ? source : '',
        target,
        [keyColumn]: change.context,
        note: change.note ?? '',
        location: change.location ?? '',
        fuzzy: change.state === 'fuzzy' ? 'True' : '',
      };
      return columns
        .map((name) => quoteField((name !== undefined && values[name]) || '', delimiter, always))
        .join(delimiter);
    });
  });
  return insertLines(
    document,
    lines.map((line) => line.replaceAll(/(?<!\r)\n/g, innerEol(document, document.text.length))),
  );
}

function csvFormat(flavour: Flavour): FileFormat {
  return keyedFormat({
    id: flavour.id,
    monolingual: false,
    charset: flavour.charset ?? utf8OrWindows,
    duplicates: flavour.multi,
    read: (context) => read(context, flavour),
    encode({ document }, text, slot) {
      return fieldLike(document, text, slot).replaceAll(/(?<!\r)\n/g, innerEol(document, slot.start));
    },
    add: (context, changes, _, base) => add(context, changes, flavour, base),
  });
}

/** Columns by headings or position. */
export const csv = csvFormat({ id: 'csv', charset: undefined, simple: false, multi: false });
export const csvUtf8 = csvFormat({ id: 'csv-utf-8', charset: 'utf-8', simple: false, multi: false });

/** Source and target in the first two columns. */
export const csvSimple = csvFormat({ id: 'csv-simple', charset: undefined, simple: true, multi: false });
export const csvSimpleUtf8 = csvFormat({ id: 'csv-simple-utf-8', charset: 'utf-8', simple: true, multi: false });
export const csvSimpleIso = csvFormat({ id: 'csv-simple-iso', charset: 'iso-8859-1', simple: true, multi: false });

/** Several rows of one source are the values of one string. */
export const csvMultiUtf8 = csvFormat({ id: 'csv-multi-utf-8', charset: 'utf-8', simple: false, multi: true });
