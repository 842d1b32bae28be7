import { trimEndOf } from '@parlance/patterns';
import type { Edit, TextDocument } from '../core/document';
import type { BaseFile, Editor } from '../core/splice-file';
import {
  FormatError,
  type AddChange,
  type FormatUnit,
  type HeaderChange,
  type ParseOptions,
  type SetChange,
  type UnitState,
} from '../format';
import { setHeaderFields } from './header';
import { scanAlone, type PoEntry, type PoString } from './scan';
import { detectWrapStyle, quoteLines, type WrapStyle } from './text';

/** Minimum and maximum number of forms of a plural entry. */
export interface PluralForms {
  least: number;
  most: number;
}

export interface PoUnit extends FormatUnit {
  readonly entry: PoEntry;
}

export function isHeader(entry: PoEntry): boolean {
  return !entry.obsolete && !entry.context && entry.id?.text === '';
}

/** Turns changes of a PO file into edits. */
export class PoEditor implements Editor<PoUnit> {
  private style: WrapStyle | undefined;

  constructor(
    private readonly document: TextDocument,
    private readonly entries: readonly PoEntry[],
    private readonly options: ParseOptions,
    private readonly monolingual: boolean,
    private readonly forms: PluralForms,
  ) {}

  set(unit: PoUnit, change: SetChange): Edit[] {
    const edits = this.setForms(
      unit.entry,
      unit.plural ? this.inForms(change.target, unit.entry.forms.length) : change.target,
    );
    if (change.state !== undefined) edits.push(...this.setState(unit.entry, change.state));
    return edits;
  }

  /** Entries have lines of their own. In other charsets than UTF-8, a text can change when it is encoded and decoded. */
  readAlone({ entry }: PoUnit, edits: readonly Edit[]): readonly string[] | undefined {
    if (!['utf-8', 'us-ascii'].includes(this.document.charset)) return undefined;
    const { start, end, context, id, idPlural } = entry;
    if (edits.some((edit) => edit.start < start || edit.end > end)) return undefined;
    const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
    const text = this.document.piece(start, end, sorted);
    if (!text.endsWith('\n') && end < this.document.text.length) return undefined;
    const [read, ...others] = scanAlone(text);
    const isWhole = read && others.length === 0 && !read.obsolete && read.start === 0 && read.end === text.length;
    const isSame = read?.context?.text === context?.text && read?.id?.text === id?.text;
    if (!isWhole || !isSame || read.idPlural?.text !== idPlural?.text) return undefined;
    return read.forms.map((form) => form.text);
  }

  /** gettext rejects entries whose number of forms differs from the header. */
  private inForms(target: readonly string[], present: number): readonly string[] {
    const { least, most } = this.forms;
    if (target.length > Math.max(most, present))
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
    const removed = new Set(units.map((unit) => unit.entry));
    const { text } = this.document;
    let kept = this.entries.length;
    while (kept > 0 && removed.has(this.entries[kept - 1] as PoEntry)) kept--;
    const tail = this.entries.slice(kept);
    const end = tail.at(-1)?.end ?? text.length;
    const atEnd = tail.length > 0 && text.slice(end).trim() === '';
    const edits = this.entries
      .filter((entry, i) => removed.has(entry) && !(atEnd && i >= kept))
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
      const baseUnit = base?.entryOf(change);
      const { context, id } = this.identity(change, baseUnit);
      const key = this.key(context, id);
      if (id === '' && context === undefined)
        throw new FormatError('invalid-change', 'a new string requires a source text');
      if (known.has(key)) throw new FormatError('duplicate', 'the file already has this string');
      known.add(key);
      out += eol + this.newEntry(change, context, id, baseUnit, eol);
    }
    const open = at > 0 && text[at - 1] !== '\n' ? eol : '';
    if (at === 0) out = out.slice(eol.length) + (text === '' ? '' : eol);
    return [{ start: at, end: at, text: open + out }];
  }

  private identity(change: AddChange, baseUnit: PoUnit | undefined): { context: string | undefined; id: string } {
    if (baseUnit) return { context: baseUnit.entry.context?.text, id: (baseUnit.entry.id as PoString).text };
    if (this.monolingual) return { context: undefined, id: change.context };
    return { context: change.context === '' ? undefined : change.context, id: change.source[0] ?? '' };
  }

  private key(context: string | undefined, id: string): string {
    return context === undefined ? id : `${context}\x04${id}`;
  }

  /** @param baseUnit the base's entry, whose notes, locations and flags are copied if the change has none */
  private newEntry(
    change: AddChange,
    context: string | undefined,
    id: string,
    baseUnit: PoUnit | undefined,
    eol: string,
  ): string {
    let out = '';
    const note = change.note || (baseUnit?.note ?? '');
    for (const line of note === '' ? [] : note.split('\n')) out += `#. ${line}`.trimEnd() + eol;
    const location = change.location || (baseUnit?.location ?? '');
    if (location !== '') out += `#: ${location.split(', ').join(' ')}${eol}`;
    const flags = [...(change.state === 'fuzzy' ? ['fuzzy'] : []), ...(change.flags ?? baseUnit?.flags ?? [])];
    if (flags.length > 0) out += `#, ${flags.join(', ')}${eol}`;
    if (context !== undefined) out += this.statement('msgctxt', context, eol);
    out += this.statement('msgid', id, eol);
    const ownPlural = this.monolingual ? (change.target.length > 1 ? id : undefined) : change.source[1];
    const plural = baseUnit?.entry.idPlural?.text ?? ownPlural;
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
