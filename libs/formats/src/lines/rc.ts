import { isUtf8 } from 'node:buffer';
import { keyedFormat, type KeyedParts } from '../core/keyed';
import type { TextDocument } from '../core/document';
import { FormatError } from '../format';
import { utf16Charset } from './properties';

interface Token {
  kind: 'word' | 'string' | 'mark';
  text: string;
  start: number;
  end: number;
}

const TOKEN =
  /\s+|\/\*[^]*?\*\/|\/\/[^\n]*|#[^\n]*(?:\\\r?\n[^\n]*)*|L?"(?:[^"\n]|"")*"|[{}(),|~+]|[^\s"{}(),|~+/]+|\//y;

function tokens(document: TextDocument): Token[] {
  const { text } = document;
  const found: Token[] = [];
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw document.error('a string without a closing quote', at);
    const [whole] = match;
    if (whole === '/' && text.startsWith('/*', at)) throw document.error('a comment without an end', at);
    const end = at + whole.length;
    const first = whole[0] as string;
    if (first === '"' || whole.startsWith('L"')) found.push({ kind: 'string', text: whole, start: at, end });
    else if (/[{}(),|~+]/.test(first)) found.push({ kind: 'mark', text: whole, start: at, end });
    else if (!/^\s/.test(first) && !/^(?:\/\/|\/\*|#)/.test(whole))
      found.push({ kind: 'word', text: whole, start: at, end });
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

function decode(raw: string): string {
  return raw
    .slice(raw.indexOf('"') + 1, -1)
    .replace(/""|\\([nrt\\a])/g, (whole, char?: string) =>
      char === undefined ? (whole === '""' ? '"' : whole) : (ESCAPES[char] as string),
    );
}

function encode(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  if (/[\u0000-\u001F]/.test(escaped)) throw new FormatError('unrepresentable', 'the text has control characters');
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
      if (word === 'POPUP' && next?.kind === 'string') path = [...path, decode(next.text)];
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

  /** The name behind the comma that follows a text. */
  private idAfter(): string | undefined {
    const [comma, id] = this.list.slice(this.at + 1, this.at + 3);
    return comma?.text === ',' && id?.kind === 'word' ? id.text : undefined;
  }

  private push(key: string, token: Token): void {
    const count = (this.used.get(key) ?? 0) + 1;
    this.used.set(key, count);
    this.found.push({
      context: count === 1 ? key : `${key}.${count}`,
      target: [decode(token.text)],
      offset: token.start,
      slots: [{ start: token.start + (token.text.startsWith('L') ? 1 : 0), end: token.end }],
      removal: [],
    });
  }
}

/** UTF-16 by its zero bytes, UTF-8 where the bytes are such, else the code page of the script or 1252. */
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
