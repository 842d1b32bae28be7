import { fromMarkdown } from 'mdast-util-from-markdown';
import type { TextDocument } from '../core/document';
import { keyedFormat, type KeyedParts, type Slot } from '../core/keyed';
import { FormatError } from '../format';

interface MarkdownNode {
  type: string;
  children?: MarkdownNode[];
  position?: { start: { offset?: number }; end: { offset?: number } };
}

/** Containers that the parser survives inside each other. */
const MAX_RUN = 100;

/** What stands inside a paragraph is text to us: leaving it unparsed takes a fraction of the time. */
const BLOCKS_ONLY = {
  disable: {
    null: [
      'attention',
      'autolink',
      'characterEscape',
      'characterReference',
      'codeText',
      'hardBreakEscape',
      'htmlText',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
    ],
  },
};

/** Settings between lines of dashes at the start are not text. */
function frontMatter(text: string): number {
  return /^(---|\+\+\+)[ \t]*\r?\n(?:[^]*?\r?\n)?\1[ \t]*(?:\r?\n|$)/.exec(text)?.[0].length ?? 0;
}

function blocks(document: TextDocument): Slot[] {
  const { text } = document;
  const run = new RegExp(
    `^(?:[ \\t]*(?:>|[-*+]|\\d+[.)])[ \\t]*){${MAX_RUN}}|[\\[(*_]{2000}|(?:!?\\[\\s*){${MAX_RUN * 5}}`,
    'm',
  ).exec(text);
  if (run) throw document.error('too many nested blocks or brackets', run.index, 'limit');
  const skip = frontMatter(text);
  const found: Slot[] = [];
  const walk = (node: MarkdownNode): void => {
    if (node.type === 'paragraph' || node.type === 'heading') {
      const first = node.children?.[0]?.position?.start.offset;
      const last = node.children?.at(-1)?.position?.end.offset;
      if (first !== undefined && last !== undefined)
        found.push(...rows(document, { start: first + skip, end: last + skip }));
    } else for (const child of node.children ?? []) walk(child);
  };
  walk(parse(document, text.slice(skip)));
  return found;
}

function parse(document: TextDocument, text: string): MarkdownNode {
  try {
    return fromMarkdown(text, { extensions: [BLOCKS_ONLY] }) as MarkdownNode;
  } catch (error) {
    if (error instanceof RangeError) throw document.error('too many nested levels', 0, 'limit');
    throw error;
  }
}

/** A paragraph that is a table, by its line of dashes, is its cells; any other is one piece. */
function rows(document: TextDocument, slot: Slot): Slot[] {
  const raw = document.text.slice(slot.start, slot.end);
  const [head, dashes] = raw.split('\n', 2) as [string, string | undefined];
  if (!head.includes('|') || dashes === undefined || !/^[\s>|:-]*-[\s>|:-]*$/.test(dashes) || !dashes.includes('|'))
    return [slot];
  const found: Slot[] = [];
  let at = slot.start;
  for (const line of raw.split('\n')) {
    if (!/^[\s>|:-]*$/.test(line)) {
      for (const cell of line.matchAll(/(?:\\.|`[^`]*`|[^|\\`])+/g)) {
        const text = cell[0].trim();
        if (text === '' || text === '>') continue;
        const start = at + cell.index + cell[0].length - cell[0].trimStart().length;
        found.push({ start, end: start + text.length });
      }
    }
    at += line.length + 1;
  }
  return found;
}

/** What stands before the further lines of a block: indentation and the marks of quotations. */
function continuation(document: TextDocument, slot: Slot): string {
  const second = /\n([ \t>]*)/.exec(document.text.slice(slot.start, slot.end));
  if (second) return second[1] as string;
  const before = document.text.slice(document.lineStart(slot.start), slot.start);
  return before.replace(/[^>\s]/g, ' ');
}

/** Markdown: headings, paragraphs, list items and table cells, with their inline marks. */
export const markdown = keyedFormat({
  id: 'markdown',
  copyOnCreate: true,
  read: ({ document }) =>
    blocks(document).map((slot, i): KeyedParts => {
      const raw = document.text.slice(slot.start, slot.end).replaceAll('\r\n', '\n');
      const text = raw.replace(/\n[ \t>]*/g, '\n');
      return { context: String(i + 1), target: [text], offset: slot.start, slots: [slot], removal: [] };
    }),
  encode({ document }, text, slot) {
    if (/^\s|\n\s*\n|\r/.test(text))
      throw new FormatError('unrepresentable', 'a text of this format cannot hold a blank line');
    return text.replaceAll('\n', document.eol + continuation(document, slot));
  },
});
