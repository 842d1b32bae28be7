import { insertLines, keyedFormat, onlyText, type KeyedParts } from '../core/keyed';
import type { TextDocument } from '../core/document';
import { checkNew } from '../core/splice-file';
import { FormatError, type AddChange } from '../format';

/** Suffix of a translation that intentionally equals its source. */
const MARK = '{ok}';

/** Without blanks at its ends. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === ' ' || text[start] === '\t') start += 1;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(start, end);
}

/** The translation of a line; empty if it repeats the source. */
function textOf(line: string, source: string): string {
  const text = trimmed(line);
  if (text === trimmed(source)) return '';
  return text.toLowerCase().endsWith(MARK) ? trimmed(text.slice(0, -MARK.length)) : text;
}

/** The line of a translation. A blank before `#` tells it from a comment. */
function lineOf(text: string, source: string): string {
  const own = trimmed(source);
  const content = text === '' ? own : text === own ? `${own} ${MARK}` : text;
  const line = content.startsWith('#') ? ` ${content}` : content;
  if (!/^;|[\r\n]/.test(line) && textOf(line, source) === text) return line;
  if (text === '') return '';
  throw new FormatError('unrepresentable', 'the text cannot be kept in this format');
}

/** A line that describes the next string. Other `##` lines describe the file. */
const isNote = (line: string): boolean => /^#(?!#)|^## (?:TAG|MAX_LENGTH)\b/.test(line);

function linesOf(change: AddChange, note: string): string[] {
  const source = change.source[0] ?? '';
  if (trimmed(source) === '' || /[\r\n]/.test(source))
    throw new FormatError('unrepresentable', 'a source text is one line that is not blank');
  const notes = note === '' ? [] : note.split(/\r\n?|\n/);
  return [
    ...notes.map((line) => (line.startsWith('#') ? `#${line}` : `# ${line}`.trimEnd())),
    `;${source}`,
    lineOf(onlyText(change), source),
  ];
}

interface Line {
  start: number;
  /** Offset of its line end. */
  end: number;
  text: string;
}

function linesIn({ text }: TextDocument): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start);
    const next = feed < 0 ? text.length : feed + 1;
    const end = feed < 0 ? next : text[feed - 1] === '\r' && feed > start ? feed - 1 : feed;
    lines.push({ start, end, text: text.slice(start, end) });
    start = next;
  }
  return lines;
}

/** Mozilla's `.lang` files: a source text after `;`, and its translation on the next line that is not blank. */
export const lang = keyedFormat({
  id: 'lang',
  monolingual: false,
  duplicates: true,
  read({ document }) {
    const lines = linesIn(document);
    const isBlank = (at: number): boolean => {
      const text = lines[at]?.text;
      return text !== undefined && trimmed(text) === '';
    };
    const found: KeyedParts[] = [];
    for (let at = 0; at < lines.length; at++) {
      const { text, start, end } = lines[at] as Line;
      if (isBlank(at) || text.startsWith('#')) continue;
      if (!text.startsWith(';')) throw document.error('expected a source text behind ";"', start);
      let first = at;
      while (first > 0 && isNote((lines[first - 1] as Line).text)) first -= 1;
      const notes = lines.slice(first, at).map((note) => note.text.slice(1).trim());
      let place = at + 1;
      while (isBlank(place)) place += 1;
      const target = lines[place];
      if (target && !/^[;#]/.test(target.text)) at = place;
      const slot = lines[at] === target ? target : undefined;
      let behind = at + 1;
      while (isBlank(behind)) behind += 1;
      // Without trailing blank lines, the last string is removed with the blank lines before it.
      if (behind === at + 1 && behind === lines.length) while (isBlank(first - 1)) first -= 1;
      const source = text.slice(1);
      if (trimmed(source) === '') continue;
      found.push({
        context: '',
        source: [source],
        target: [slot ? textOf(slot.text, source) : ''],
        offset: start,
        note: notes.join('\n'),
        slots: [slot],
        removal: [{ start: (lines[first] as Line).start, end: lines[behind]?.start ?? document.text.length }],
        grow: ([missing]) => [{ start: end, end, text: document.eol + lineOf(missing?.[1] ?? '', source) }],
      });
    }
    return found;
  },
  encode: (_, text, __, unit) => lineOf(text, unit.source[0] as string),
  add({ document: { text }, document }, changes, units, base) {
    // The format has no context, so equal sources are one string.
    checkNew(
      changes.map((change) => ({ ...change, context: '' })),
      units,
      false,
    );
    const gap = text.trim() === '' ? 0 : text.slice(text.trimEnd().length).split('\n').length - 2;
    const blanks = new Array<string>(gap > 0 ? gap : 2).fill('');
    const lines = changes.flatMap((change) => {
      const own = linesOf(change, change.note || (base?.entryOf({ ...change, context: '' })?.note ?? ''));
      return gap > 0 ? [...own, ...blanks] : [...blanks, ...own];
    });
    return insertLines(document, text === '' ? lines.slice(blanks.length) : lines);
  },
});
