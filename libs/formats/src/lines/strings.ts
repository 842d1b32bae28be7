import type { Edit, TextDocument } from '../core/document';
import { behindEntry, insertLines, keyedFormat, onlyText, type KeyedContext, type KeyedParts } from '../core/keyed';
import type { AddChange, FileFormat } from '../format';
import { utf16Charset } from './properties';

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

function unescape(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(
    /\\(?:[Uu]([0-9a-fA-F]{4})|([0-7]{3})|([^]))/g,
    (_, hex?: string, octal?: string, char?: string) => {
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff);
      return SIMPLE[char as string] ?? (char as string);
    },
  );
}

function escape(text: string, quote: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r')
    .replace(/[\u0000-\u001F\u007F]/g, (char) => `\\U${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped.replaceAll(quote, `\\${quote}`);
}

const BLANK = /[\s\uFEFF]+/y;
const COMMENT = /\/\*([^]*?)\*\/|\/\/([^\n\r]*)/y;
const TOKEN = /"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|[\w.$:/-]+/y;

/** Reads `"key" = "value";` with comments before it. */
function read({ document }: KeyedContext): KeyedParts[] {
  const { text } = document;
  const found: KeyedParts[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const result = pattern.exec(text);
    if (result) at = pattern.lastIndex;
    return result;
  };
  const skip = (notes: string[] | undefined): void => {
    for (;;) {
      match(BLANK);
      const comment = match(COMMENT);
      if (!comment) return;
      notes?.push((comment[1] ?? comment[2] ?? '').trim());
    }
  };
  const expect = (pattern: RegExp, what: string): RegExpExecArray => {
    const result = match(pattern);
    if (!result) throw document.error(`expected ${what}`, at);
    return result;
  };
  const valueOf = (token: RegExpExecArray): string => unescape(token[1] ?? token[2] ?? token[0]);
  // Old files wrap everything in braces.
  skip(undefined);
  const braced = match(/\{/y) !== null;
  let from = at;
  for (;;) {
    const notes: string[] = [];
    skip(notes);
    if (at >= text.length) break;
    if (braced && match(/\}/y)) {
      skip(undefined);
      if (at < text.length) throw document.error('text after the closing brace', at);
      break;
    }
    const keyStart = at;
    const key = valueOf(expect(TOKEN, 'a key'));
    skip(undefined);
    let slot = { start: at, end: at };
    let value = key;
    if (match(/=/y)) {
      skip(undefined);
      slot = { start: at, end: at };
      value = valueOf(expect(TOKEN, 'a value'));
      slot.end = at;
      skip(undefined);
    }
    expect(/;/y, 'a semicolon');
    at = behindEntry(document, at, COMMENT);
    const end = document.lineEnd(at);
    const removeTo = document.endsLine(at) ? end : at;
    const removeFrom = notes.length > 0 ? commentStart(text, from, keyStart) : lineFrom(document, from, keyStart);
    const removal = [{ start: removeFrom, end: removeTo }];
    found.push({ context: key, target: [value], offset: keyStart, note: notes.join('\n'), slots: [slot], removal });
    from = Math.max(at, removeTo);
  }
  return found;
}

/** Start of the key's line, or of the key if another entry precedes it on the line. */
function lineFrom(document: TextDocument, from: number, keyStart: number): number {
  return document.startsLine(keyStart) ? Math.max(document.lineStart(keyStart), from) : keyStart;
}

/** The first comment after the last blank line before a key. */
function commentStart(text: string, from: number, keyStart: number): number {
  const between = text.slice(from, keyStart);
  const blank = [...between.matchAll(/\n[ \t]*\r?\n/g)].at(-1);
  return blank ? from + blank.index + blank[0].length : from;
}

/** Offset of the first character that is neither blank nor part of a comment. */
function afterComments(text: string): number {
  const BLANKS = /\s*/y;
  for (let at = 0; ;) {
    BLANKS.lastIndex = at;
    BLANKS.exec(text);
    at = BLANKS.lastIndex;
    const close = text.startsWith('/*', at) ? '*/' : text.startsWith('//', at) ? '\n' : undefined;
    const end = close === undefined ? -1 : text.indexOf(close, at + 2);
    if (end < 0) return at;
    at = end + close!.length;
  }
}

function add({ document }: KeyedContext, changes: readonly AddChange[]): Edit[] {
  const brace = /\}\s*$/.exec(document.text);
  const lines = changes.flatMap((change) => [
    ...(change.note ? [`/* ${change.note.replaceAll('*/', '* /')} */`] : []),
    `"${escape(change.context, '"')}" = "${escape(onlyText(change), '"')}";`,
  ]);
  const open = brace && document.text[afterComments(document.text)] === '{';
  return insertLines(document, lines, open ? brace.index : undefined);
}

function stringsFormat(id: string): FileFormat {
  return keyedFormat({
    id,
    charset: utf16Charset,
    empty: () => '',
    read,
    encode({ document }, text, slot) {
      if (slot.start === slot.end) return ` = "${escape(text, '"')}"`;
      const quote = document.text[slot.start] === "'" ? "'" : '"';
      return `${quote}${escape(text, quote)}${quote}`;
    },
    add,
  });
}

/** Apple's strings. UTF-16 is detected from the bytes. */
export const strings = stringsFormat('strings');

/** The same for components whose new files are UTF-8. */
export const stringsUtf8 = stringsFormat('strings-utf8');
