import { insertLines, keyedFormat, onlyText, type KeyedParts, type Slot } from '../core/keyed';
import { FormatError, type AddChange, type FileFormat } from '../format';
import { utf8OrWindows } from '../core/charset';
import type { TextDocument } from '../core/document';

const KEY = /^(\S+)-->(\S+)$/;

function times(change: AddChange): { from: string; to: string } {
  const match = KEY.exec(change.context);
  if (!match)
    throw new FormatError(
      'invalid-change',
      'the key of a subtitle must have the form START-->END, with times as in the file',
    );
  return { from: match[1] as string, to: match[2] as string };
}

const SRT_TIME = /^[ \t]*(-?\d+:\d{1,2}:\d{1,2}[,.]\d{1,3})[ \t]*-->[ \t]*(-?\d+:\d{1,2}:\d{1,2}[,.]\d{1,3})[^\n]*$/;
const SRT_NUMBER = /^\s*\d+\s*$/;

function numberIn(line: string): number {
  return SRT_NUMBER.test(line) ? Number(line) : Number.NaN;
}

/** Range of a line without its line end. */
interface Line extends Slot {
  /** Where the next line begins. */
  next: number;
}

/** A cue: its times, and the offset of its number or times. */
interface Cue {
  from: string;
  to: string;
  start: number;
  /** The lines between its times and the next cue, without outer blank lines. */
  lines: readonly Line[];
  /** Offset after the line of its times. */
  open: number;
}

function linesOf(document: TextDocument): Line[] {
  const { text } = document;
  const found: Line[] = [];
  for (let start = 0, next = 0; start < text.length; start = next) {
    next = document.lineEnd(start);
    let end = next;
    while (end > start && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1;
    found.push({ start, end, next });
  }
  return found;
}

/**
 * Finds the cues of a SubRip file by their time lines. Blank lines are unreliable: writers omit them, double them, and put them
 * into texts.
 */
function cuesOf(document: TextDocument): Cue[] {
  const { text } = document;
  const lines = linesOf(document);
  const textOf = ({ start, end }: Line): string => text.slice(start, end);
  const isBlank = (at: number): boolean => at < 0 || textOf(lines[at] as Line).trim() === '';
  const timed = lines.flatMap((line, at) => {
    const match = SRT_TIME.exec(textOf(line));
    return match ? [{ at, from: match[1] as string, to: match[2] as string }] : [];
  });
  const heads: number[] = [];
  let number = Number.NaN;
  timed.forEach(({ at }, i) => {
    const first = i === 0 ? 0 : (timed[i - 1] as { at: number }).at + 1;
    let above = at - 1;
    while (above >= first && isBlank(above)) above -= 1;
    const value = above >= first ? numberIn(textOf(lines[above] as Line)) : Number.NaN;
    // A number at the end of the previous text is distinguished from the cue's own by its position or the sequence.
    const isApart = above > first && isBlank(above - 1);
    const isAdjacent = above === at - 1 && (isApart || above === first || !Number.isNaN(number));
    const isNext = value === number + 1 || (isApart && value > number);
    const isOwn = !Number.isNaN(value) && (i === 0 || isAdjacent || isNext);
    if (isOwn) number = value;
    heads.push(isOwn ? above : at);
  });
  const before = lines.findIndex((_, at) => at < (heads[0] ?? lines.length) && !isBlank(at));
  if (before >= 0) {
    const isNumber = SRT_NUMBER.test(textOf(lines[before] as Line));
    const place = isNumber ? (lines[before] as Line).next : (lines[before] as Line).start;
    throw document.error('expected the times of a subtitle', place);
  }
  return timed.map(({ at, from, to }, i) => {
    let first = at + 1;
    let last = (heads[i + 1] ?? lines.length) - 1;
    while (first <= last && isBlank(last)) last -= 1;
    while (first <= last && isBlank(first)) first += 1;
    const { next: open } = lines[at] as Line;
    return { from, to, start: (lines[heads[i] as number] as Line).start, lines: lines.slice(first, last + 1), open };
  });
}

/** Number of characters after a text that are searched for the next cue. */
const NEXT_CUE = 1000;

/** Whether a text has a blank line between others. */
function hasInnerBlank(text: string): boolean {
  return /\n[ \t]*\r?\n/.test(text.trim());
}

/** @throws FormatError if a line of the text would start another cue */
function checkCue(text: string): void {
  if (text.includes('-->') && text.split('\n').some((line) => SRT_TIME.test(line)))
    throw new FormatError('unrepresentable', 'a subtitle must not contain the times of another subtitle');
}

/** SubRip: number, times, lines of text, blank line. The key is START-->END. */
export const srt = keyedFormat({
  id: 'srt',
  charset: utf8OrWindows,
  duplicates: true,
  read({ document }) {
    const { text } = document;
    const cues = cuesOf(document);
    return cues.map(({ from, to, start, open, lines }, i): KeyedParts => {
      const slot = { start: lines[0]?.start ?? open, end: lines.at(-1)?.end ?? open };
      return {
        context: `${from}-->${to}`,
        target: [text.slice(slot.start, slot.end).replaceAll('\r\n', '\n')],
        offset: start,
        slots: [slot],
        removal: [{ start, end: cues[i + 1]?.start ?? text.length }],
      };
    });
  },
  encode({ document }, text, slot) {
    const old = document.text.slice(slot.start, slot.end);
    // Players end a cue at a blank line, so only existing blank lines are accepted.
    const isOutside = /^[ \t]*(?:\n|$)|\n[ \t]*$|\r/.test(text);
    if (text !== '' && (isOutside || (hasInnerBlank(text) && !hasInnerBlank(old))))
      throw new FormatError('unrepresentable', 'a subtitle must not contain a blank line');
    checkCue(text);
    const next = /^\s*([^\n]*)/.exec(document.text.slice(slot.end, slot.end + NEXT_CUE))?.[1] ?? '';
    if (SRT_NUMBER.test(text.slice(text.lastIndexOf('\n') + 1)) && SRT_TIME.test(next.trimEnd()))
      throw new FormatError('unrepresentable', 'the last line would be read as the number of the next subtitle');
    const eol = document.eolAt(slot.start);
    const atEnd = slot.start === document.text.length && !document.text.endsWith('\n') ? eol : '';
    const body = text.replaceAll('\n', eol);
    return (
      atEnd +
      (slot.start === slot.end &&
      document.text[slot.start] !== '\n' &&
      document.text[slot.start] !== '\r' &&
      text !== ''
        ? body + eol
        : body)
    );
  },
  add({ document }, changes, units) {
    const { text } = document;
    const eol = document.eolAt(Math.max(text.length - 1, 0));
    const gap = text === '' || /\n[ \t]*\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol;
    const blocks = changes.map((change, i) => {
      const { from, to } = times(change);
      checkCue(onlyText(change));
      return `${units.length + i + 1}${eol}${from} --> ${to}${eol}${onlyText(change).replaceAll('\n', eol)}${eol}`;
    });
    return [{ start: text.length, end: text.length, text: gap + blocks.join(eol) }];
  },
});

/** MicroDVD: `{from}{to}text|second line`. */
export const sub = keyedFormat({
  id: 'sub',
  charset: utf8OrWindows,
  duplicates: true,
  read({ document }) {
    const { text } = document;
    const found: KeyedParts[] = [];
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = document.lineEnd(start);
      const line = text.slice(start, end).replace(/\r?\n$/, '');
      if (line.trim() === '') continue;
      const match = /^\{(\d+)\}\{(\d*)\}/.exec(line);
      if (!match) throw document.error('expected {from}{to} and a text', start);
      const from = start + match[0].length;
      found.push({
        context: `${match[1] as string}-->${match[2] as string}`,
        target: [line.slice(match[0].length).replaceAll('|', '\n')],
        offset: start,
        slots: [{ start: from, end: start + line.length }],
        removal: [{ start, end }],
      });
    }
    return found;
  },
  encode: (_, text) => text.replaceAll('\n', '|'),
  add: ({ document }, changes) =>
    insertLines(
      document,
      changes.map((change) => {
        const { from, to } = times(change);
        if (!/^\d+$/.test(from + to))
          throw new FormatError('invalid-change', 'the key of a subtitle must have the form START-->END, in frames');
        return `{${from}}{${to}}${onlyText(change).replaceAll('\n', '|')}`;
      }),
    ),
});

/** Sub Station Alpha: the `Dialogue:` lines of the section Events; `\N` is a line feed. */
function subStation(id: string): FileFormat {
  return keyedFormat({
    id,
    charset: utf8OrWindows,
    duplicates: true,
    read({ document }) {
      const { text } = document;
      if (!/^\s*\[Script Info\]/i.test(text)) throw document.error('expected the section Script Info', 0);
      const found: KeyedParts[] = [];
      const columns = eventColumns(document);
      for (let start = 0, end = 0; start < text.length; start = end) {
        end = document.lineEnd(start);
        const line = text.slice(start, end).replace(/\r?\n$/, '');
        const head = /^[ \t]*Dialogue:[ \t]*/i.exec(line)?.[0];
        if (head === undefined) continue;
        let at = head.length;
        const fields: string[] = [];
        for (let i = 0; i < columns.length - 1; i++) {
          const comma = line.indexOf(',', at);
          if (comma < 0) throw document.error(`expected ${columns.length} fields`, start);
          fields.push(line.slice(at, comma).trim());
          at = comma + 1;
        }
        found.push({
          context: `${fields[columns.indexOf('start')] ?? ''}-->${fields[columns.indexOf('end')] ?? ''}`,
          target: [line.slice(at).replace(/\\N/g, '\n')],
          offset: start,
          note: fields[columns.indexOf('name')] ?? '',
          slots: [{ start: start + at, end: start + line.length }],
          removal: [{ start, end }],
        });
      }
      return found;
    },
    encode: (_, text) => text.replaceAll('\n', '\\N'),
    add({ document }, changes, units) {
      const columns = eventColumns(document);
      const lines = changes.map((change) => {
        const { from, to } = times(change);
        const values = columns
          .slice(0, -1)
          .map((name) =>
            name === 'start'
              ? from
              : name === 'end'
                ? to
                : name === 'style'
                  ? 'Default'
                  : /^(?:layer|marked|margin[lrv])$/.test(name)
                    ? '0'
                    : '',
          );
        return `Dialogue: ${[...values, onlyText(change).replaceAll('\n', '\\N')].join(',')}`;
      });
      return insertLines(document, lines, units.at(-1)?.removal[0]?.end);
    },
  });
}

const DEFAULT_COLUMNS = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text'];

function eventColumns(document: TextDocument): string[] {
  const events = document.text.search(/^[ \t]*\[Events\]/im);
  const format = events < 0 ? null : /^[ \t]*Format:([^\n]*)$/im.exec(document.text.slice(events));
  return format ? (format[1] as string).split(',').map((name) => name.trim().toLowerCase()) : DEFAULT_COLUMNS;
}

export const ass = subStation('ass');
export const ssa = subStation('ssa');
