import { trimEndOf } from '@parlance/patterns';
import { withoutBlanks } from '../core/blanks';
import type { TextDocument } from '../core/document';
import { keyedFormat, type KeyedParts, type Slot } from '../core/keyed';
import { FormatError, type FileFormat } from '../format';

/** Finds the ranges of text in a plain document. */
type Finder = (document: TextDocument) => Slot[];

/** Paragraphs between blank lines. */
const paragraphs: Finder = (document) => {
  const { text } = document;
  const found: Slot[] = [];
  let open: Slot | undefined;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = document.lineEnd(start);
    const line = text.slice(start, end);
    if (line.trim() === '') open = undefined;
    else {
      const lineEnd = start + line.replace(/\r?\n$/, '').length;
      if (open) open.end = lineEnd;
      else found.push((open = { start, end: lineEnd }));
    }
  }
  return found;
};

/** Ranges that are not text: from a sticky pattern to a closing delimiter, or only the pattern. */
interface SkippedBlock {
  open: RegExp;
  close?: (match: RegExpExecArray) => string;
}

/** End of the skipped range at an offset, or the offset itself. A missing delimiter is searched only once. */
function skipper(blocks: readonly SkippedBlock[]): (text: string, at: number) => number {
  const missing = new Set<string>();
  return (text, at) => {
    for (const { open, close } of blocks) {
      open.lastIndex = at;
      const match = open.exec(text);
      if (!match) continue;
      if (!close) return at + match[0].length;
      const mark = close(match);
      const end = missing.has(mark) ? -1 : text.indexOf(mark, at + match[0].length);
      if (end >= 0) return end + mark.length;
      missing.add(mark);
    }
    return at;
  };
}

/** Blocks of wiki text: headings, list items, table cells and paragraphs, without their markers. */
function wikiBlocks(heading: RegExp, item: RegExp, blocks: readonly SkippedBlock[], cells: RegExp | undefined): Finder {
  return (document) => {
    const { text } = document;
    const skip = skipper(blocks);
    const found: Slot[] = [];
    let open: Slot | undefined;
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = document.lineEnd(start);
      const line = text.slice(start, end).replace(/\r?\n$/, '');
      const mark = heading.exec(trimEndOf(line, ' \t')) ?? item.exec(line);
      const skipped = skip(text, start);
      if (skipped > start) {
        end = document.lineEnd(Math.max(start, skipped - 1));
        open = undefined;
      } else if (line.trim() === '') open = undefined;
      else if (cells?.test(line)) {
        open = undefined;
        let at = 0;
        for (const part of line.split(/[|^]/)) {
          if (part.trim() !== '') found.push(withoutBlanks(text, start + at, start + at + part.length));
          at += part.length + 1;
        }
      } else if (mark) {
        const from = start + (mark[1] as string).length;
        found.push(withoutBlanks(text, from, from + (mark[2] as string).length));
        open = undefined;
      } else if (open) open.end = withoutBlanks(text, start, start + line.length).end;
      else found.push((open = withoutBlanks(text, start, start + line.length)));
    }
    return found.filter((slot) => slot.end > slot.start);
  };
}

const dokuwikiBlocks = wikiBlocks(
  /^([ \t]*={2,6})(.*?)={2,6}$/,
  /^([ \t]{2,}[*-][ \t]+(?![ \t]))(.*)$/,
  [
    { open: /<(code|file|html|php|nowiki)\b/y, close: (match) => `</${match[1] as string}>` },
    { open: /~~[A-Z:]+~~|----+/y },
  ],
  /^[|^].*[|^][ \t]*$/,
);

const mediawikiBlocks = wikiBlocks(
  /^(={1,6})(.*?)={1,6}$/,
  /^([*#:;]+(?![*#:;])[ \t]*(?![ \t]))(.*)$/,
  [
    { open: /<(nowiki|pre|source|syntaxhighlight|math)\b/y, close: (match) => `</${match[1] as string}>` },
    { open: /\{\|/y, close: () => '\n|}' },
    { open: /<!--/y, close: () => '-->' },
    { open: /\{\{[^{}\n]{0,500}\}\}[ \t]*(?=\r?\n|$)|----+|__[A-Z]+__/y },
  ],
  undefined,
);

function textDocumentFormat(id: string, find: Finder): FileFormat {
  return keyedFormat({
    id,
    copyOnCreate: true,
    read({ document }) {
      return find(document).map((slot, i): KeyedParts => {
        const text = document.text.slice(slot.start, slot.end).replaceAll('\r\n', '\n');
        return { context: String(i + 1), target: [text], offset: slot.start, slots: [slot], removal: [] };
      });
    },
    encode({ document }, text) {
      if (/^[ \t]*(?:\n|$)|\n[ \t]*(?:\n|$)|\r/.test(text) && text !== '') {
        throw new FormatError('unrepresentable', 'this format cannot represent blank lines in a text');
      }
      return text.replaceAll('\n', document.eol);
    },
  });
}

/** Plain text: paragraphs. */
export const txt = textDocumentFormat('txt', paragraphs);
export const dokuwiki = textDocumentFormat('dokuwiki', dokuwikiBlocks);
export const mediawiki = textDocumentFormat('mediawiki', mediawikiBlocks);
