import type { TextDocument } from '../core/document';
import { keyedFormat, type KeyedParts, type Slot } from '../core/keyed';
import { FormatError, type FileFormat } from '../format';

/** Finds the pieces of text in a kind of plain document. */
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

/** The text of a line without its marks; an empty span for a line that has none. */
function trimmed(text: string, start: number, end: number): Slot {
  const piece = text.slice(start, end);
  return { start: start + piece.length - piece.trimStart().length, end: start + piece.trimEnd().length };
}

/** Blocks of wiki text: headings, list items, table cells and paragraphs, each without its marks. */
function wikiBlocks(heading: RegExp, item: RegExp, skip: RegExp, cells: RegExp | undefined): Finder {
  return (document) => {
    const { text } = document;
    const found: Slot[] = [];
    let open: Slot | undefined;
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = document.lineEnd(start);
      const line = text.slice(start, end).replace(/\r?\n$/, '');
      const mark = heading.exec(line) ?? item.exec(line);
      skip.lastIndex = start;
      const code = skip.exec(text);
      if (code && code[0] !== '') {
        end = document.lineEnd(Math.max(start, start + code[0].length - 1));
        open = undefined;
      } else if (line.trim() === '') open = undefined;
      else if (cells?.test(line)) {
        open = undefined;
        let at = 0;
        for (const part of line.split(/[|^]/)) {
          if (part.trim() !== '') found.push(trimmed(text, start + at, start + at + part.length));
          at += part.length + 1;
        }
      } else if (mark) {
        const from = start + (mark[1] as string).length;
        found.push(trimmed(text, from, from + (mark[2] as string).length));
        open = undefined;
      } else if (open) open.end = start + line.trimEnd().length;
      else found.push((open = trimmed(text, start, start + line.length)));
    }
    return found.filter((slot) => slot.end > slot.start);
  };
}

const dokuwikiBlocks = wikiBlocks(
  /^([ \t]*={2,6}[ \t]*)(.*?)[ \t]*={2,6}[ \t]*$/,
  /^((?:[ \t]{2,}[*-][ \t]+))(.*)$/,
  /<(code|file|html|php|nowiki)\b[^]*?<\/\1>[^\n]*|~~[A-Z:]+~~|----+/y,
  /^[|^].*[|^][ \t]*$/,
);

const mediawikiBlocks = wikiBlocks(
  /^(={1,6}[ \t]*)(.*?)[ \t]*={1,6}[ \t]*$/,
  /^([*#:;]+[ \t]*)(.*)$/,
  /<(nowiki|pre|source|syntaxhighlight|math)\b[^]*?<\/\1>[^\n]*|\{\|[^]*?\n\|\}[^\n]*|\{\{[^{}]*\}\}[ \t]*(?=\r?\n|$)|<!--[^]*?-->|----+|__[A-Z]+__/y,
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
        throw new FormatError('unrepresentable', 'a text of this format cannot hold a blank line');
      }
      return text.replaceAll('\n', document.eol);
    },
  });
}

/** Plain text: paragraphs. */
export const txt = textDocumentFormat('txt', paragraphs);
export const dokuwiki = textDocumentFormat('dokuwiki', dokuwikiBlocks);
export const mediawiki = textDocumentFormat('mediawiki', mediawikiBlocks);
