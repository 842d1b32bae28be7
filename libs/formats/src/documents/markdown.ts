import { withoutBlanks } from '../core/blanks';
import type { TextDocument } from '../core/document';
import { keyedFormat, type KeyedParts, type Slot } from '../core/keyed';
import { FormatError } from '../format';
import { MarkdownBlocks } from './markdown-blocks';

/** Front matter is not text. */
function frontMatter(text: string): number {
  return /^(---|\+\+\+)[ \t]*\r?\n(?:[^]*?\r?\n)?\1[ \t]*(?:\r?\n|$)/.exec(text)?.[0].length ?? 0;
}

function blocks(document: TextDocument): Slot[] {
  return new MarkdownBlocks(document, frontMatter(document.text)).read().flatMap((slot) => rows(document, slot));
}

/** Splits a table into its cells. Other paragraphs are a single range. */
function rows(document: TextDocument, slot: Slot): Slot[] {
  const feed = document.text.indexOf('\n', slot.start);
  if (feed < 0 || feed >= slot.end) return [slot];
  const raw = document.text.slice(slot.start, slot.end);
  const [head, dashes] = raw.split('\n', 2) as [string, string | undefined];
  if (
    !head.includes('|') ||
    dashes === undefined ||
    !/^[\s>|:-]+$/.test(dashes) ||
    !dashes.includes('-') ||
    !dashes.includes('|')
  )
    return [slot];
  const found: Slot[] = [];
  let at = slot.start;
  for (const line of raw.split('\n')) {
    if (!/^[\s>|:-]*$/.test(line)) {
      for (const cell of line.matchAll(/(?:\\.|`[^`]*`|[^|\\`])+/g)) {
        const start = at + cell.index;
        const place = withoutBlanks(document.text, start, start + cell[0].length);
        const text = document.text.slice(place.start, place.end);
        if (text !== '' && text !== '>') found.push(place);
      }
    }
    at += line.length + 1;
  }
  return found;
}

/** Prefix of continuation lines: indentation and block quote markers. */
function continuation(document: TextDocument, slot: Slot): string {
  const second = /\n([ \t>]*)/.exec(document.text.slice(slot.start, slot.end));
  if (second) return second[1] as string;
  const before = document.text.slice(document.lineStart(slot.start), slot.start);
  return before.replace(/[^>\s]/g, ' ');
}

/** Markdown: headings, paragraphs, list items and table cells, with their inline markup. */
export const markdown = keyedFormat({
  id: 'markdown',
  copyOnCreate: true,
  read: ({ document }) =>
    blocks(document).map((slot, i): KeyedParts => {
      const raw = document.text.slice(slot.start, slot.end);
      const text = raw.includes('\n') ? raw.replaceAll('\r\n', '\n').replace(/\n[ \t>]*/g, '\n') : raw;
      return { context: String(i + 1), target: [text], offset: slot.start, slots: [slot], removal: [] };
    }),
  encode({ document }, text, slot) {
    if (/^[ \t\n]|\n[ \t]*\n|\r/.test(text))
      throw new FormatError('unrepresentable', 'this format cannot represent blank lines in a text');
    return text.replaceAll('\n', document.eol + continuation(document, slot));
  },
});
