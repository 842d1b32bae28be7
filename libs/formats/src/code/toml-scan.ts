import type { TextDocument } from '../core/document';

export interface TomlLeaf {
  path: string;
  text: string;
  /** Offset of its key; equal to `start` in an array. */
  keyStart: number;
  start: number;
  end: number;
  lineStart: number;
  lineEnd: number;
  /** The value is in an array or inline table, so it has no line of its own. */
  inner: boolean;
  note: string;
}

/** A table: with a header (or the root), inline, or defined by dotted keys. */
export interface TomlTable {
  readonly kind: 'table';
  readonly members: Map<string, TomlNode>;
  /** The enclosing table with a header, and the key prefix of its lines. */
  home: TomlHeader | undefined;
  prefix: TomlPrefix | undefined;
  /** Range of an inline table. */
  readonly span: { start: number; end: number } | undefined;
}

/** Path of a table as a linked list from its last name. Arrays would take quadratic memory in the depth. */
interface TomlPrefix {
  readonly before: TomlPrefix | undefined;
  readonly name: string;
}

export interface TomlList {
  readonly kind: 'list';
  readonly items: TomlNode[];
  /** Element of an array of tables. */
  readonly names: readonly string[] | undefined;
  readonly span: { start: number; end: number } | undefined;
}

/** Matches other values up to their end. */
export interface TomlScalar {
  readonly kind: 'scalar';
  readonly span: { start: number; end: number };
}

export type TomlNode = TomlTable | TomlList | TomlScalar;

/** Lines of a table with a header. */
export interface TomlHeader {
  names: readonly string[];
  /** Insertion point of new keys. */
  end: number;
  /** Whether the header is that of an array of tables. */
  list: boolean;
}

/** Limit of Python. Parsing an integer takes quadratic time. */
const MAX_DIGITS = 4300;

const BARE = /[A-Za-z0-9_-]+/y;
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\x1b',
  '"': '"',
  '\\': '\\',
};

function unescape(raw: string): string {
  return raw.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|[ \t]*\r?\n\s*|(.))/g,
    (whole, short?: string, long?: string, byte?: string, char?: string) => {
      const hex = short ?? long ?? byte;
      if (hex !== undefined) {
        const code = parseInt(hex, 16);
        return code > 0x10ffff ? whole : String.fromCodePoint(code);
      }
      return char === undefined ? '' : (ESCAPES[char] ?? char);
    },
  );
}

function tableOf(home?: TomlHeader, prefix?: TomlPrefix, span?: TomlTable['span']): TomlTable {
  return { kind: 'table', members: new Map(), home, prefix, span };
}

/** Key prefix of the lines of a table. */
export function prefixOf({ prefix }: TomlTable): string[] {
  const names: string[] = [];
  for (let at = prefix; at; at = at.before) names.push(at.name);
  return names.reverse();
}

/** Finds the ranges of all values. Checks the nesting, but does not detect all errors. */
export class TomlScanner {
  readonly leaves: TomlLeaf[] = [];
  readonly headers: TomlHeader[] = [{ names: [], end: 0, list: false }];
  readonly root: TomlTable = tableOf(this.headers[0]);
  private table = this.root;
  private path = '';
  private readonly text: string;
  /** Offset of the scanner. */
  at = 0;
  /** Current nesting. */
  private depth = 1;
  private comments: string[] = [];
  private commentStart = -1;

  constructor(private readonly document: TextDocument) {
    this.text = document.text;
  }

  scan(): this {
    while (this.at < this.text.length) {
      const lineStart = this.at;
      this.blanks();
      const char = this.text[this.at];
      if (char === '#') {
        const end = this.document.lineEnd(this.at);
        if (this.commentStart < 0) this.commentStart = lineStart;
        this.comments.push(this.text.slice(this.at + 1, end).trim());
        this.at = end;
        continue;
      }
      if (char === '[') this.header();
      else if (char !== undefined && char !== '\n' && char !== '\r') this.pair(lineStart);
      this.at = this.document.lineEnd(this.at);
      this.comments = [];
      this.commentStart = -1;
    }
    return this;
  }

  private blanks(): void {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at += 1;
  }

  private header(): void {
    const list = this.text[this.at + 1] === '[';
    const start = this.at;
    this.at += list ? 2 : 1;
    this.depth = 1;
    const names = this.key(']');
    this.enter(start);
    const header: TomlHeader = { names, end: this.document.lineEnd(this.at), list };
    this.headers.push(header);
    let { root: table } = this;
    this.path = '';
    names.forEach((name, i) => {
      const last = i === names.length - 1;
      this.path = join(this.path, name);
      let next = table.members.get(name);
      if (list && last) {
        if (next?.kind !== 'list')
          table.members.set(name, (next = { kind: 'list', items: [], names, span: undefined }));
        next.items.push(tableOf(header));
      }
      if (next?.kind === 'list') {
        this.enter(start);
        this.path += `[${next.items.length - 1}]`;
        next = next.items.at(-1);
      }
      if (next?.kind !== 'table') {
        next = tableOf(table.home, { before: table.prefix, name });
        table.members.set(name, next);
      }
      if (last) Object.assign(next, { home: header, prefix: undefined });
      table = next;
    });
    this.table = table;
  }

  /** Enters a level. The caller restores the previous one. */
  private enter(at: number): void {
    const { maxDepth } = this.document.limits;
    this.depth += 1;
    if (this.depth > maxDepth) throw this.document.error(`more than ${maxDepth} nested levels`, at, 'limit');
  }

  private key(end: string): string[] {
    const names: string[] = [];
    for (;;) {
      this.blanks();
      const quote = this.text[this.at];
      if (quote === '"' || quote === "'") names.push(this.string().text);
      else {
        BARE.lastIndex = this.at;
        names.push(BARE.exec(this.text)?.[0] ?? '');
        this.at = Math.max(BARE.lastIndex, this.at);
      }
      this.blanks();
      if (this.text[this.at] !== '.') break;
      this.enter(this.at);
      this.at += 1;
    }
    if (this.text[this.at] !== end) throw this.document.error(`expected ${end}`, this.at);
    this.at += 1;
    return names;
  }

  private pair(lineStart: number): void {
    const first = this.leaves.length;
    this.member(this.path, this.table, false);
    const lineEnd = this.document.lineEnd(this.at);
    (this.headers.at(-1) as TomlHeader).end = lineEnd;
    const start = this.commentStart < 0 ? lineStart : this.commentStart;
    for (const leaf of this.leaves.slice(first))
      Object.assign(leaf, { lineStart: start, lineEnd, note: this.comments.join('\n') });
  }

  /** A dotted key and its value. */
  private member(path: string, around: TomlTable, inner: boolean): void {
    let table = around;
    const { at, depth } = this;
    const names = this.key('=');
    for (const name of names.slice(0, -1)) {
      let next = table.members.get(name);
      if (next?.kind !== 'table') {
        next = tableOf(table.home, { before: table.prefix, name });
        table.members.set(name, next);
      }
      table = next;
    }
    table.members.set(names.at(-1) as string, this.value(names.reduce(join, path), inner, at));
    this.depth = depth;
  }

  private value(path: string, inner: boolean, keyAt?: number): TomlNode {
    this.space();
    const start = this.at;
    const keyStart = keyAt ?? start;
    const char = this.text[start];
    if (char === '[') return this.list(path);
    if (char === '{') return this.braces(path);
    const text = char === '"' || char === "'" ? this.string().text : this.bareValue();
    this.leaves.push({ path, text, keyStart, start, end: this.at, lineStart: 0, lineEnd: 0, inner, note: '' });
    return { kind: 'scalar', span: { start, end: this.at } };
  }

  private list(path: string): TomlList {
    const span = { start: this.at, end: 0 };
    const items: TomlNode[] = [];
    this.enter(this.at);
    this.at += 1;
    for (let i = 0; ; i++) {
      this.space();
      if (this.text[this.at] === ']') break;
      items.push(this.value(`${path}[${i}]`, true));
      this.space();
      if (this.text[this.at] === ',') this.at += 1;
    }
    span.end = this.at += 1;
    this.depth -= 1;
    return { kind: 'list', items, names: undefined, span };
  }

  private braces(path: string): TomlTable {
    const span = { start: this.at, end: 0 };
    const table = tableOf(undefined, undefined, span);
    this.enter(this.at);
    this.at += 1;
    for (;;) {
      this.space();
      if (this.text[this.at] === '}') break;
      this.member(path, table, true);
      this.space();
      if (this.text[this.at] === ',') this.at += 1;
    }
    span.end = this.at += 1;
    this.depth -= 1;
    return table;
  }

  /** Skips blanks, line ends and comments inside a value. */
  private space(): void {
    for (;;) {
      while (this.at < this.text.length && /\s/.test(this.text[this.at] as string)) this.at += 1;
      if (this.text[this.at] !== '#') return;
      this.at = this.document.lineEnd(this.at);
    }
  }

  private bareValue(): string {
    const start = this.at;
    while (this.at < this.text.length && !/[,\]}#\r\n]/.test(this.text[this.at] as string)) this.at += 1;
    while (this.at > start && /[ \t]/.test(this.text[this.at - 1] as string)) this.at -= 1;
    if (this.at === start) throw this.document.error('expected a value', start);
    if (this.at - start > MAX_DIGITS && /^[-+\d_]+$/.test(this.text.slice(start, this.at)))
      throw this.document.error(`an integer of more than ${MAX_DIGITS} digits`, start, 'limit');
    return this.text.slice(start, this.at);
  }

  private string(): { text: string } {
    const { text } = this;
    const quote = text[this.at] as string;
    const long = text.startsWith(quote.repeat(3), this.at);
    const from = this.at + (long ? 3 : 1);
    let end = from;
    while (end < text.length && !text.startsWith(long ? quote.repeat(3) : quote, end))
      end += quote === '"' && text[end] === '\\' ? 2 : 1;
    // Up to two quotes may precede the closing three.
    while (long && text[end + 3] === quote) end += 1;
    this.at = end + (long ? 3 : 1);
    const raw = long ? text.slice(from, end).replaceAll('\r\n', '\n').replace(/^\n/, '') : text.slice(from, end);
    return { text: quote === '"' ? unescape(raw) : raw };
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

export function basic(text: string): string {
  return `"${escapeBasic(text, true)}"`;
}

export function escapeBasic(text: string, feeds: boolean): string {
  return text.replace(/[\\"\u0000-\u001F\u007F]/g, (char) => {
    if (char === '\n') return feeds ? '\\n' : char;
    const simple = { '\\': '\\\\', '"': '\\"', '\t': '\\t', '\r': '\\r' }[char];
    return simple ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
