import { TextDocument, type Edit } from '../core/document';
import { SpliceFile } from '../core/splice-file';
import {
  FormatError,
  type Change,
  type CreateOptions,
  type FileFormat,
  type FileMetadata,
  type ParseOptions,
  type SetChange,
  type UnitState,
} from '../format';
import { formatPluralForms, headerCharset, parseHeader, parsePluralForms } from './header';
import { isHeader, PoEditor, type PluralForms, type PoUnit } from './po-editor';
import { PoScanner, type PoEntry, type PoString } from './scan';
import { canEncodeAll, inUtf8 } from './utf8';

/** Upper bound of plural forms. Larger headers are invalid. */
const MAX_FORMS = 10;

/** @param forms minimum number of forms of a plural unit */
function makeUnit(entry: PoEntry, index: number, forms: number, monolingual: boolean): PoUnit {
  const id = (entry.id as PoString).text;
  const context = entry.context?.text ?? '';
  const target = entry.forms.map((form) => form.text);
  if (entry.idPlural) while (target.length < forms) target.push('');
  let fuzzy = false;
  let flags: string[] = [];
  for (const line of entry.flagLines ?? []) {
    flags = flags.length === 0 ? line.flags : [...flags, ...line.flags];
    fuzzy ||= line.flags.includes('fuzzy');
  }
  if (fuzzy) flags = flags.filter((flag) => flag !== 'fuzzy');
  let state: UnitState = fuzzy ? 'fuzzy' : 'translated';
  if (target.every((form) => form === '')) state = 'empty';
  return {
    index,
    context: monolingual ? (context === '' ? id : `${context}.${id}`) : context,
    source: entry.idPlural ? [id, entry.idPlural.text] : [id],
    target,
    state,
    plural: entry.idPlural !== undefined,
    note: entry.extractedComments?.join('\n') ?? '',
    comment: entry.translatorComments?.join('\n') ?? '',
    location: entry.references?.join(', ') ?? '',
    flags,
    previousSource: entry.previous?.text ?? '',
    line: entry.line,
    column: 1,
    entry,
  };
}

class PoFile extends SpliceFile<PoUnit> {
  constructor(
    document: TextDocument,
    readonly entries: readonly PoEntry[],
    id: string,
    options: ParseOptions,
    monolingual: boolean,
  ) {
    const declared = metadata(document, entries, monolingual);
    const forms = formsOf(declared, options);
    const units: PoUnit[] = [];
    for (const entry of entries) {
      if (entry.obsolete || !entry.id || isHeader(entry)) continue;
      if (entry.id.text === '' && !entry.context) continue;
      units.push(makeUnit(entry, units.length, forms.least, monolingual));
    }
    const editor = new PoEditor(document, entries, options, monolingual, forms);
    super(id, document, units, declared, editor, (bytes) => parsePo(bytes, id, options, monolingual));
  }

  /** Converts the file to UTF-8 if its charset does not contain a character of the changes. */
  override apply(changes: readonly Change[], base?: Buffer): Buffer {
    if (canEncodeAll(this.document, changes)) return super.apply(changes, base);
    return this.reparse(inUtf8(this.document)).apply(changes, base);
  }
}

/** The forms that the header declares win over those of the language. Without both, entries keep their number of forms. */
function formsOf({ plural }: FileMetadata, options: ParseOptions): PluralForms {
  if (!options.plural) return { least: 0, most: Infinity };
  const usable = plural && plural.count >= 1 && plural.count <= MAX_FORMS;
  return usable ? { least: plural.count, most: plural.count } : { least: options.plural.count, most: Infinity };
}

function metadata(document: TextDocument, entries: readonly PoEntry[], monolingual: boolean): FileMetadata {
  const headers = parseHeader(entries.find(isHeader)?.forms[0]?.text ?? '');
  const plural = parsePluralForms(headers.get('Plural-Forms') ?? '');
  const targetLanguage = headers.get('Language');
  return {
    charset: document.charset,
    bom: document.bom,
    eol: document.eol,
    monolingual,
    headers,
    ...(plural ? { plural } : {}),
    ...(targetLanguage ? { targetLanguage } : {}),
  };
}

function parsePo(bytes: Buffer, id: string, options: ParseOptions, monolingual: boolean): PoFile {
  const { charset, at } = headerCharset(bytes);
  const document = new TextDocument(bytes, { charset, charsetAt: at, limits: options.limits });
  return new PoFile(document, new PoScanner(document, document.limits).scan(), id, options, monolingual);
}

/** New language: blank targets, no fuzzy flags, previous texts or obsolete entries, and the language in the header. */
function createPo(base: Buffer | undefined, options: CreateOptions, id: string, monolingual: boolean): Buffer {
  const parseOptions: ParseOptions = { ...options, plural: undefined };
  if (!base && !monolingual) throw new FormatError('base-required', 'a new gettext file requires a base file');
  const file = parsePo(base ?? Buffer.alloc(0), id, parseOptions, monolingual);
  const obsolete = file.entries.filter((entry) => entry.obsolete);
  const edits = obsolete.map(({ start, end }): Edit => ({ start, end, text: '' }));
  const blank = (length: number): string[] => new Array<string>(length).fill('');
  const cleared = parsePo(file.document.splice(edits), id, parseOptions, monolingual);
  const fields: Record<string, string> = { Language: options.language };
  if (options.team) fields['Language-Team'] = options.team;
  if (options.plural) fields['Plural-Forms'] = formatPluralForms(options.plural);
  if (cleared.metadata.headers.get('Content-Type')?.includes('charset=CHARSET')) {
    fields['Content-Type'] = 'text/plain; charset=UTF-8';
  }
  const blanked = cleared.apply([
    ...cleared.units.map((unit): SetChange => {
      const forms = unit.plural ? (options.plural?.count ?? unit.target.length) : 1;
      return { op: 'set', index: unit.index, target: blank(forms), state: 'empty' };
    }),
    { op: 'header', fields },
  ]);
  return withoutHeaderMark(blanked, id, parseOptions, monolingual);
}

/** Template headers are marked fuzzy, and some readers skip fuzzy headers. */
function withoutHeaderMark(bytes: Buffer, id: string, options: ParseOptions, monolingual: boolean): Buffer {
  const file = parsePo(bytes, id, options, monolingual);
  const edits = (file.entries.find(isHeader)?.flagLines ?? []).flatMap((line): Edit[] =>
    line.flags.length === 1 && line.flags[0] === 'fuzzy' ? [{ start: line.start, end: line.end, text: '' }] : [],
  );
  return file.document.splice(edits);
}

function format(id: string, monolingual: boolean): FileFormat {
  return {
    id,
    parse: (bytes, options = {}) => parsePo(bytes, id, options, monolingual),
    createTranslation: (base, options) => createPo(base, options, id, monolingual),
  };
}

/** Gettext PO, source and translation in one file. */
export const po = format('po', false);

/** Gettext PO with keys as msgid. The source texts are in another file. */
export const poMono = format('po-mono', true);
