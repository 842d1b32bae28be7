import { trimEndOf } from '@parlance/patterns';
import { TextDocument, type Edit } from '../core/document';
import { SpliceFile, type BaseFile, type Editor } from '../core/splice-file';
import {
  FormatError,
  type AddChange,
  type Change,
  type CreateOptions,
  type FileFormat,
  type FileMetadata,
  type FormatUnit,
  type HeaderChange,
  type ParseOptions,
  type SetChange,
  type UnitState,
} from '../format';
import { formatPluralForms, headerCharset, parseHeader, parsePluralForms, setHeaderFields } from './header';
import { PoScanner, type PoEntry, type PoString } from './scan';
import { detectWrapStyle, quoteLines, type WrapStyle } from './text';
import { holds, inUtf8 } from './utf8';

/** Upper bound of plural forms. Larger headers are invalid. */
const MAX_FORMS = 10;

/** Number of forms of a plural entry. */
interface Forms {
  least: number;
  most: number;
}

interface PoUnit extends FormatUnit {
  readonly entry: PoEntry;
}

function isHeader(entry: PoEntry): boolean {
  return !entry.obsolete && !entry.context && entry.id?.text === '';
}

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

/** Turns changes of a PO file into edits. */
class PoEditor implements Editor<PoUnit> {
  private style: WrapStyle | undefined;

  constructor(
    private readonly document: TextDocument,
    private readonly entries: readonly PoEntry[],
    private readonly options: ParseOptions,
    private readonly monolingual: boolean,
    private readonly forms: Forms,
  ) {}

  set(unit: PoUnit, change: SetChange): Edit[] {
    const edits = this.setForms(
      unit.entry,
      unit.plural ? this.inForms(change.target, unit.entry.forms.length) : change.target,
    );
    if (change.state !== undefined) edits.push(...this.setState(unit.entry, change.state));
    return edits;
  }

  /** gettext rejects entries whose number of forms differs from the header. */
  private inForms(target: readonly string[], there: number): readonly string[] {
    const { least, most } = this.forms;
    if (target.length > Math.max(most, there))
      throw new FormatError('invalid-change', `the file has ${most} plural forms, but the change has ${target.length}`);
    return [...target, ...new Array<string>(Math.max(least - target.length, 0)).fill('')];
  }

  private setForms(entry: PoEntry, target: readonly string[]): Edit[] {
    const { text } = this.document;
    const edits: Edit[] = [];
    entry.forms.forEach((form, i) => {
      const wanted = target[i];
      if (wanted === undefined) {
        edits.push({ start: this.document.lineStart(form.start), end: this.document.lineEnd(form.valueEnd), text: '' });
      } else if (wanted !== form.text) edits.push(this.quoted(form.valueStart, form.valueEnd, wanted));
    });
    if (target.length > entry.forms.length) {
      const last = entry.forms.at(-1) as PoString;
      const at = this.document.lineEnd(last.valueEnd);
      const eol = this.document.eolAt(last.valueStart);
      const lines = target.slice(entry.forms.length).map((form, i) => {
        return this.statement(`msgstr[${entry.forms.length + i}]`, form, eol);
      });
      const open = text[at - 1] === '\n' ? '' : eol;
      edits.push({ start: at, end: at, text: open + lines.join('') });
    }
    return edits;
  }

  private quoted(start: number, end: number, text: string): Edit {
    const lineStart = this.document.lineStart(start);
    const lines = quoteLines(text, start - lineStart, this.wrapStyle());
    return { start, end, text: lines.join(this.document.eolAt(start)) };
  }

  private wrapStyle(): WrapStyle {
    return (this.style ??= detectWrapStyle(this.document.text, this.options.params?.po_line_wrap));
  }

  private setState(entry: PoEntry, state: UnitState): Edit[] {
    if (state === 'fuzzy') {
      if (entry.flagLines?.some((line) => line.flags.includes('fuzzy'))) return [];
      const line = entry.flagLines?.[0];
      if (line) {
        const at = this.document.text.indexOf(',', line.start) + 1;
        return [{ start: at, end: at, text: line.flags.length > 0 ? ' fuzzy,' : ' fuzzy' }];
      }
      const at = entry.previous?.start ?? entry.keywordAt;
      return [{ start: at, end: at, text: `#, fuzzy${this.document.eolAt(at)}` }];
    }
    const edits: Edit[] = [];
    for (const line of entry.flagLines ?? []) {
      if (!line.flags.includes('fuzzy')) continue;
      if (line.flags.length === 1) edits.push({ start: line.start, end: line.end, text: '' });
      else edits.push(this.withoutFuzzy(line.start, line.end));
    }
    if (entry.previous) edits.push({ start: entry.previous.start, end: entry.previous.end, text: '' });
    return edits;
  }

  private withoutFuzzy(start: number, end: number): Edit {
    const line = this.document.text.slice(start, end);
    const match = /(?<=#,)[ \t]*fuzzy[ \t]*,|,[ \t]*fuzzy(?![\w-])/.exec(line) as RegExpExecArray;
    return { start: start + match.index, end: start + match.index + match[0].length, text: '' };
  }

  remove(units: readonly PoUnit[]): Edit[] {
    const gone = new Set(units.map((unit) => unit.entry));
    const { text } = this.document;
    let kept = this.entries.length;
    while (kept > 0 && gone.has(this.entries[kept - 1] as PoEntry)) kept--;
    const tail = this.entries.slice(kept);
    const end = tail.at(-1)?.end ?? text.length;
    const atEnd = tail.length > 0 && text.slice(end).trim() === '';
    const edits = this.entries
      .filter((entry, i) => gone.has(entry) && !(atEnd && i >= kept))
      .map((entry): Edit => ({ start: entry.start, end: this.afterBlanks(entry.end), text: '' }));
    if (!atEnd) return edits;
    const [first] = tail as [PoEntry];
    if (kept === 0) return [...edits, { start: first.start, end: this.afterBlanks(end), text: '' }];
    // Removing the last entries also removes the blank lines before them. The end of the file is kept.
    const before = text.slice((this.entries[kept - 1] as PoEntry).end, first.start);
    const blanks = before.endsWith('\n') ? before.slice(trimEndOf(before, ' \t\r\n').length) : '';
    const blank = blanks === '' ? 0 : blanks.length - blanks.search(/\r?\n/);
    return [...edits, { start: blank === before.length ? first.start - blank : first.start, end, text: '' }];
  }

  /** End offset of the blank lines after an offset. */
  private afterBlanks(at: number): number {
    const { text } = this.document;
    let after = at;
    for (let next = this.document.lineEnd(after); after < text.length; next = this.document.lineEnd(after)) {
      if (text.slice(after, next).trim() !== '') break;
      after = next;
    }
    return after;
  }

  add(changes: readonly AddChange[], base?: BaseFile<PoUnit>): Edit[] {
    const known = new Set(
      this.entries.flatMap((e) => (e.obsolete || !e.id ? [] : this.key(e.context?.text, e.id.text))),
    );
    let out = '';
    const { text } = this.document;
    const last = this.entries.findLast((entry) => !entry.obsolete);
    const at = last?.end ?? 0;
    const eol = this.document.eolAt(Math.max(at - 1, 0));
    for (const change of changes) {
      const like = base?.entryOf(change);
      const { context, id } = this.identity(change, like);
      const key = this.key(context, id);
      if (id === '' && context === undefined)
        throw new FormatError('invalid-change', 'a new string requires a source text');
      if (known.has(key)) throw new FormatError('duplicate', 'the file already has this string');
      known.add(key);
      out += eol + this.newEntry(change, context, id, like, eol);
    }
    const open = at > 0 && text[at - 1] !== '\n' ? eol : '';
    if (at === 0) out = out.slice(eol.length) + (text === '' ? '' : eol);
    return [{ start: at, end: at, text: open + out }];
  }

  private identity(change: AddChange, like: PoUnit | undefined): { context: string | undefined; id: string } {
    if (like) return { context: like.entry.context?.text, id: (like.entry.id as PoString).text };
    if (this.monolingual) return { context: undefined, id: change.context };
    return { context: change.context === '' ? undefined : change.context, id: change.source[0] ?? '' };
  }

  private key(context: string | undefined, id: string): string {
    return context === undefined ? id : `${context}\x04${id}`;
  }

  /** @param like the base's entry, whose notes, locations and flags are copied if the change has none */
  private newEntry(
    change: AddChange,
    context: string | undefined,
    id: string,
    like: PoUnit | undefined,
    eol: string,
  ): string {
    let out = '';
    const note = change.note || (like?.note ?? '');
    for (const line of note === '' ? [] : note.split('\n')) out += `#. ${line}`.trimEnd() + eol;
    const location = change.location || (like?.location ?? '');
    if (location !== '') out += `#: ${location.split(', ').join(' ')}${eol}`;
    const flags = [...(change.state === 'fuzzy' ? ['fuzzy'] : []), ...(change.flags ?? like?.flags ?? [])];
    if (flags.length > 0) out += `#, ${flags.join(', ')}${eol}`;
    if (context !== undefined) out += this.statement('msgctxt', context, eol);
    out += this.statement('msgid', id, eol);
    const made = this.monolingual ? (change.target.length > 1 ? id : undefined) : change.source[1];
    const plural = like?.entry.idPlural?.text ?? made;
    if (plural === undefined) {
      if (change.target.length > 1) throw new FormatError('invalid-change', 'the string has no plural forms');
      return out + this.statement('msgstr', change.target[0] as string, eol);
    }
    out += this.statement('msgid_plural', plural, eol);
    this.inForms(change.target, 0).forEach((form, i) => (out += this.statement(`msgstr[${i}]`, form, eol)));
    return out;
  }

  private statement(keyword: string, text: string, eol: string): string {
    return `${keyword} ${quoteLines(text, keyword.length + 1, this.wrapStyle()).join(eol)}${eol}`;
  }

  header(change: HeaderChange): Edit[] {
    for (const [name, value] of Object.entries(change.fields)) {
      if (!/^[A-Za-z][\w-]*$/.test(name) || /[\r\n\0]/.test(value)) {
        throw new FormatError('invalid-change', 'a header field needs a plain name and a value of one line');
      }
    }
    const entry = this.entries.find(isHeader);
    const eol = entry ? this.document.eolAt(entry.keywordAt) : this.document.eol;
    const before =
      entry?.forms[0]?.text ??
      'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n';
    const after = setHeaderFields(before, change.fields);
    if (entry && after === before) return [];
    const style = { width: Infinity, breakAtLineFeeds: true };
    const form = entry?.forms[0];
    if (!form) {
      const lines = quoteLines(after, 7, style).join(eol);
      return [{ start: 0, end: 0, text: `msgid ""${eol}msgstr ${lines}${eol}${this.document.text === '' ? '' : eol}` }];
    }
    return (
      this.headerLines(form, before, after) ?? [
        { start: form.valueStart, end: form.valueEnd, text: quoteLines(after, 7, style).join(eol) },
      ]
    );
  }

  /** Replaces single lines if the header has one field per line. */
  private headerLines(form: PoString, before: string, after: string): Edit[] | undefined {
    const { text } = this.document;
    const eol = this.document.eolAt(form.valueStart);
    const pieces = [...text.slice(form.valueStart, form.valueEnd).matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].slice(1);
    const old = before.split('\n').slice(0, -1);
    const now = after.split('\n').slice(0, -1);
    const line = (value: string): string =>
      quoteLines(`${value}\n`, 0, { width: Infinity, breakAtLineFeeds: true })[0] as string;
    if (pieces.length !== old.length || pieces.some((piece, i) => piece[0] !== line(old[i] as string)))
      return undefined;
    const edits = old.flatMap((value, i): Edit[] => {
      if (now[i] === value) return [];
      const start = form.valueStart + (pieces[i] as RegExpMatchArray & { index: number }).index;
      return [{ start, end: start + (pieces[i] as RegExpMatchArray)[0].length, text: line(now[i] as string) }];
    });
    const added = now.slice(old.length).map((value) => eol + line(value));
    if (added.length > 0) edits.push({ start: form.valueEnd, end: form.valueEnd, text: added.join('') });
    return edits;
  }
}

class PoFile extends SpliceFile<PoUnit> {
  constructor(
    document: TextDocument,
    readonly entries: readonly PoEntry[],
    id: string,
    options: ParseOptions,
    monolingual: boolean,
  ) {
    const facts = metadata(document, entries, monolingual);
    const forms = formsOf(facts, options);
    const units: PoUnit[] = [];
    for (const entry of entries) {
      if (entry.obsolete || !entry.id || isHeader(entry)) continue;
      if (entry.id.text === '' && !entry.context) continue;
      units.push(makeUnit(entry, units.length, forms.least, monolingual));
    }
    const editor = new PoEditor(document, entries, options, monolingual, forms);
    super(id, document, units, facts, editor, (bytes) => parsePo(bytes, id, options, monolingual));
  }

  /** Converts the file to UTF-8 if its charset lacks a character of the changes. */
  override apply(changes: readonly Change[], base?: Buffer): Buffer {
    if (holds(this.document, changes)) return super.apply(changes, base);
    return this.reparse(inUtf8(this.document)).apply(changes, base);
  }
}

/** The forms that the header declares win over those of the language. Without both, entries keep their number of forms. */
function formsOf({ plural }: FileMetadata, options: ParseOptions): Forms {
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
