import { isUtf8 } from 'node:buffer';
import { decodeText } from '../core/charset';
import { keyedFormat, type KeyedParts } from '../core/keyed';
import type { TextDocument } from '../core/document';
import { utf16Charset } from './properties';

interface Token {
  kind: 'word' | 'string' | 'mark';
  /** The token as written; decoded for strings. */
  text: string;
  start: number;
  end: number;
  /** A wide string (`L"..."`). */
  wide?: boolean;
}

/** A backslash at the end of a line continues it, inside and outside strings. */
const TOKEN =
  /\s+|\\\r?\n|\/\*[^]*?\*\/|\/\/[^\n]*|#[^\n]*(?:\\\r?\n[^\n]*)*|L?"(?:[^"\n]|""|(?<=\\\r?)\n)*"|[{}(),|~+]|(?:[^\s"{}(),|~+/\\]|\\(?!\r?\n))+|\//y;

function tokens(document: TextDocument): Token[] {
  const { text } = document;
  const found: Token[] = [];
  /** The preceding adjacent string, which this one continues. */
  let open: Token | undefined;
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw document.error('a string is not closed', at);
    const [whole] = match;
    if (whole === '/' && text.startsWith('/*', at)) throw document.error('a comment is not closed', at);
    const end = at + whole.length;
    const first = whole[0] as string;
    const isSpace = /^(?:\s|\/\/|\/\*|\\\r?\n)/.test(whole);
    if (first === '"' || whole.startsWith('L"')) {
      const value = decode(whole, document);
      if (open) Object.assign(open, { text: open.text + value, end });
      else found.push((open = { kind: 'string', text: value, start: at, end, wide: first === 'L' }));
    } else if (!isSpace) {
      open = undefined;
      if (/[{}(),|~+]/.test(first)) found.push({ kind: 'mark', text: whole, start: at, end });
      else if (first !== '#') found.push({ kind: 'word', text: whole, start: at, end });
    }
    at = end;
  }
  return found;
}

const RESOURCES = new Set([
  'DIALOG',
  'DIALOGEX',
  'MENU',
  'MENUEX',
  'STRINGTABLE',
  'ACCELERATORS',
  'RCDATA',
  'VERSIONINFO',
  'TOOLBAR',
  'DESIGNINFO',
  'TEXTINCLUDE',
  'BITMAP',
  'ICON',
  'CURSOR',
]);
const TRANSLATED = new Set(['DIALOG', 'DIALOGEX', 'MENU', 'MENUEX', 'STRINGTABLE']);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', a: '\x07' };
/** Replaces NUL, which separates parts of file filters and is not allowed in texts. */
const NUL_PICTURE = '\u2400';

/** A doubled quote, a named escape, or one code. */
const ESCAPE = /""|\\(?:[nrt\\a]|x[\da-fA-F]{1,2}|[0-7]{1,3})/g;
const WIDE_ESCAPE = /""|\\(?:[nrt\\a]|x[\da-fA-F]{1,4}|[0-7]{1,3})/g;
const CODE = /\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3}))/g;

/** Decodes a quoted literal. Numeric escapes are UTF-16 units in wide literals, else bytes of the script's charset. */
function decode(literal: string, document: TextDocument): string {
  const wide = literal.startsWith('L');
  const raw = literal.slice(wide ? 2 : 1, -1).replace(/\\\r?\n/g, '');
  if (!raw.includes('\\')) return raw.replaceAll('""', '"');
  const decodeCodes = (codes: string): string => {
    const text = wide ? unitsOf(codes) : bytesOf(codes, document);
    return /\p{Surrogate}/u.test(text) ? codes : text.replaceAll('\0', NUL_PICTURE);
  };
  let text = '';
  // Adjacent numeric escapes may encode one character, so they are decoded together.
  let codes = '';
  let end = 0;
  for (const { 0: whole, index } of raw.matchAll(wide ? WIDE_ESCAPE : ESCAPE)) {
    const isCode = /^\\[x0-7]/.test(whole);
    if (codes !== '' && (index > end || !isCode)) {
      text += decodeCodes(codes);
      codes = '';
    }
    text += raw.slice(end, index);
    end = index + whole.length;
    if (isCode) codes += whole;
    else text += whole === '""' ? '"' : ESCAPES[whole[1] as string];
  }
  if (codes !== '') text += decodeCodes(codes);
  return text + raw.slice(end);
}

function unitsOf(codes: string): string {
  return codes.replace(/\\(?:x([\da-fA-F]{1,4})|([0-7]{1,3}))/g, (_, hex?: string, octal?: string) =>
    String.fromCharCode(hex === undefined ? parseInt(octal as string, 8) : parseInt(hex, 16)),
  );
}

/** Bytes in UTF-16 scripts and bytes that are invalid in the charset are decoded as windows-1252. */
function bytesOf(codes: string, { charset }: TextDocument): string {
  const bytes = [...codes.matchAll(CODE)].map(([, hex, octal]) =>
    hex === undefined ? parseInt(octal as string, 8) & 0xff : parseInt(hex, 16),
  );
  const buffer = Buffer.from(bytes);
  const text = /^utf-?16/.test(charset) ? '\uFFFD' : decodeText(buffer, charset);
  return text.includes('\uFFFD') ? decodeText(buffer, 'windows-1252') : text;
}

const NAMES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\x07': '\\a' };

function encode(text: string): string {
  const escaped = text.replace(
    /[\\\u0001-\u001F\u2400]/g,
    (char) => NAMES[char] ?? `\\${(char.charCodeAt(0) & 0x1f).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped.replaceAll('"', '""')}"`;
}

/** Reads the texts of string tables, menus and dialogs in order. */
class Reader {
  readonly found: KeyedParts[] = [];
  private at = 0;
  private readonly used = new Map<string, number>();

  constructor(private readonly list: readonly Token[]) {}

  read(): KeyedParts[] {
    let name = '';
    while (this.at < this.list.length) {
      const token = this.list[this.at] as Token;
      const kind = token.kind === 'word' ? token.text.toUpperCase() : '';
      if (RESOURCES.has(kind)) {
        this.at += 1;
        this.resource(kind, kind === 'STRINGTABLE' ? '' : name);
      } else {
        if (token.kind === 'word') name = token.text;
        this.at += 1;
      }
    }
    return this.found;
  }

  private resource(kind: string, name: string): void {
    const prefix = [kind.replace(/EX$/, ''), name].filter((part) => part !== '').join('.');
    let depth = 0;
    let path: string[] = [];
    for (; this.at < this.list.length; this.at++) {
      const token = this.list[this.at] as Token;
      const word = token.kind === 'word' ? token.text.toUpperCase() : token.text;
      const next = this.list[this.at + 1];
      if (word === 'BEGIN' || word === '{') depth += 1;
      else if (word === 'END' || word === '}') {
        depth -= 1;
        path = path.slice(0, -1);
        if (depth <= 0) {
          this.at += 1;
          return;
        }
      } else if (depth === 0 && RESOURCES.has(word) && next?.kind !== 'mark') return;
      else if (token.kind === 'string' && TRANSLATED.has(kind)) this.text(token, kind, prefix, depth, path);
      if (word === 'POPUP' && next?.kind === 'string') path = [...path, next.text];
    }
  }

  private text(token: Token, kind: string, prefix: string, depth: number, path: readonly string[]): void {
    const before = this.list[this.at - 1];
    const word = before?.kind === 'word' ? before.text.toUpperCase() : '';
    if (kind === 'STRINGTABLE') {
      const id = before?.kind === 'mark' ? this.list[this.at - 2] : before;
      if (depth > 0 && id?.kind === 'word') this.push(`${prefix}.${id.text}`, token);
    } else if (kind.startsWith('MENU')) {
      if (word === 'POPUP') this.push([prefix, ...path.slice(0, -1), 'POPUP'].join('.'), token);
      else if (word === 'MENUITEM') this.push([prefix, this.idAfter() ?? 'MENUITEM'].join('.'), token);
    } else if (word === 'CAPTION') this.push(`${prefix}.CAPTION`, token);
    else if (depth > 0 && before?.kind === 'word' && word !== 'FONT')
      this.push([prefix, word === 'CONTROL' ? (this.idAfter() ?? word) : (this.idAfter() ?? word)].join('.'), token);
  }

  /** The identifier after the comma that follows a text. */
  private idAfter(): string | undefined {
    const [comma, id] = this.list.slice(this.at + 1, this.at + 3);
    return comma?.text === ',' && id?.kind === 'word' ? id.text : undefined;
  }

  private push(key: string, token: Token): void {
    const count = (this.used.get(key) ?? 0) + 1;
    this.used.set(key, count);
    this.found.push({
      context: count === 1 ? key : `${key}.${count}`,
      target: [token.text],
      offset: token.start,
      slots: [{ start: token.start + (token.wide ? 1 : 0), end: token.end }],
      removal: [],
    });
  }
}

/** UTF-16 by zero bytes, UTF-8 if the bytes are valid, else the declared code page or windows-1252. */
function charset(bytes: Buffer): { charset: string } {
  const found = utf16Charset(bytes);
  if (found.charset !== 'utf-8' || isUtf8(bytes)) return found;
  const page = /#pragma\s+code_page\(\s*(\d{3,5})\s*\)/.exec(bytes.subarray(0, 65536).toString('latin1'))?.[1];
  return { charset: page === undefined || page === '65001' ? 'windows-1252' : `cp${page}` };
}

/** Windows resource scripts: string tables, menus and dialogs. */
export const rc = keyedFormat({
  id: 'rc',
  charset,
  read({ document }) {
    const list = tokens(document);
    const isScript = list.some(
      ({ kind, text }) => kind === 'string' || text === 'LANGUAGE' || RESOURCES.has(text.toUpperCase()),
    );
    if (!isScript && list[0]) throw document.error('expected a resource script', list[0].start);
    return new Reader(list).read();
  },
  encode: (_, text) => encode(text),
});
