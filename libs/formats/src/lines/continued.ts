import { withoutBlanks } from '../core/blanks';
import type { Edit, TextDocument } from '../core/document';
import type { Slot } from '../core/keyed';
import { FormatError } from '../format';

/**
 * Continuation lines as in Python's configparser: lines indented deeper than the key, and blank lines between them. Comments
 * between them are not part of the text.
 */
export function furtherLines(document: TextDocument, start: number, indent: number, comment: RegExp): Slot[] {
  const { text } = document;
  const found: Slot[] = [];
  // Fast path: most keys have a single line.
  if (!/[\s;#]/.test(text[start] ?? 'x')) return found;
  const blank: Slot[] = [];
  for (let at = start; at < text.length; at = document.lineEnd(at)) {
    const slot = withoutBlanks(text, at, document.lineEnd(at));
    if (slot.start === slot.end) blank.push({ start: at, end: at });
    else if (!comment.test(text.slice(slot.start, slot.start + 2))) {
      if (slot.start - at <= indent) break;
      for (const line of blank.splice(0)) found.push(line);
      found.push(slot);
    }
  }
  return found;
}

/** The lines of a text. Throws if a line would be read differently. */
function textLines(text: string): string[] {
  const lines = text.split('\n');
  const further = lines.slice(1);
  if (text.includes('\r') || further.at(-1) === '' || further.some((line) => /^[ \t;#]|[ \t]$/.test(line)))
    throw new FormatError('unrepresentable', 'the lines of the text cannot be kept in this format');
  return lines;
}

/** A new text with indented continuation lines. */
export function joinLines(text: string, eol: string): string {
  return textLines(text)
    .map((line, i) => (i > 0 && line !== '' ? INDENT + line : line))
    .join(eol);
}

const INDENT = '    ';

/** Replaces the lines that differ. `slots` are the old lines; the first one follows the key. */
export function writeLines(document: TextDocument, slots: readonly Slot[], text: string): Edit[] {
  const { eol } = document;
  const indent = indentOf(document, slots);
  const old = slots.map(({ start, end }) => document.text.slice(start, end));
  const lines = textLines(text);
  const shorter = Math.min(old.length, lines.length);
  let head = 1;
  while (head < shorter && old[head] === lines[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === lines.at(-1 - tail)) tail += 1;
  const replaced = shorter - tail;
  const edits: Edit[] = [];
  for (let i = 0; i < replaced; i++) {
    const { start, end } = slots[i] as Slot;
    const line = lines[i] as string;
    if (line !== old[i]) edits.push({ start, end, text: start === end && i > 0 ? indent + line : line });
  }
  for (const { start } of slots.slice(replaced, slots.length - tail))
    edits.push({ start: document.lineStart(start), end: document.lineEnd(start), text: '' });
  const added = lines.slice(replaced, lines.length - tail).map((line) => eol + (line && indent + line));
  if (added.length > 0) {
    const { start } = slots[replaced - 1] as Slot;
    const line = withoutBlanks(document.text, document.lineStart(start), document.lineEnd(start));
    const end = line.start === line.end ? start : line.end;
    edits.push({ start: end, end, text: added.join('') });
  }
  return edits;
}

/** Indentation of continuation lines: that of the last one, or deeper than the key. */
function indentOf(document: TextDocument, slots: readonly Slot[]): string {
  const start = document.lineStart((slots.at(-1) as Slot).start);
  const indent = /[ \t]*/y;
  indent.lastIndex = start;
  const found = indent.exec(document.text)?.[0] ?? '';
  return slots.length > 1 ? found : found + INDENT;
}
