import { parse as validate, TomlError } from 'smol-toml';
import { printable, type Edit, type TextDocument } from '../core/document';
import { insertLines, keyedFormat, onlyText, type KeyedParts } from '../core/keyed';
import { FormatError, type AddChange } from '../format';
import { keyAncestors } from '../registry';

interface Leaf {
  path: string;
  text: string;
  start: number;
  end: number;
  lineStart: number;
  lineEnd: number;
  /** In a list or an inline table: cannot go alone. */
  inner: boolean;
  note: string;
}

interface Section {
  path: string;
  /** Where a new key of the table goes. */
  end: number;
}

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
    (_, short?: string, long?: string, byte?: string, char?: string) => {
      const hex = short ?? long ?? byte;
      if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
      return char === undefined ? '' : (ESCAPES[char] ?? char);
    },
  );
}

/** Finds the places of all values in a text that is known to be valid. */
class Scanner {
  readonly leaves: Leaf[] = [];
  readonly sections: Section[] = [{ path: '', end: 0 }];
  private readonly text: string;
  private at = 0;
  private comments: string[] = [];
  private commentStart = -1;
  private readonly arrays = new Map<string, number>();

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
    this.at += list ? 2 : 1;
    const names = this.key(']');
    let path = this.resolve(names.slice(0, list ? -1 : undefined));
    if (list) {
      const base = join(path, names.at(-1) as string);
      const count = this.arrays.get(base) ?? 0;
      this.arrays.set(base, count + 1);
      path = `${base}[${count}]`;
    }
    this.sections.push({ path, end: this.document.lineEnd(this.at) });
  }

  /** A name of a list of tables means its last table. */
  private resolve(names: readonly string[]): string {
    let path = '';
    for (const name of names) {
      path = join(path, name);
      const count = this.arrays.get(path);
      if (count !== undefined) path += `[${count - 1}]`;
    }
    return path;
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
      this.at += 1;
    }
    if (this.text[this.at] !== end) throw this.document.error(`expected ${end}`, this.at);
    this.at += 1;
    return names;
  }

  private pair(lineStart: number): void {
    const section = this.sections.at(-1) as Section;
    let path = section.path;
    for (const name of this.key('=')) path = join(path, name);
    const first = this.leaves.length;
    this.value(path, false);
    const lineEnd = this.document.lineEnd(this.at);
    section.end = lineEnd;
    const start = this.commentStart < 0 ? lineStart : this.commentStart;
    for (const leaf of this.leaves.slice(first))
      Object.assign(leaf, { lineStart: start, lineEnd, note: this.comments.join('\n') });
  }

  private value(path: string, inner: boolean): void {
    this.space();
    const start = this.at;
    const char = this.text[start];
    if (char === '[') this.list(path);
    else if (char === '{') this.table(path);
    else {
      const text = char === '"' || char === "'" ? this.string().text : this.bare();
      this.leaves.push({ path, text, start, end: this.at, lineStart: 0, lineEnd: 0, inner, note: '' });
    }
  }

  private list(path: string): void {
    this.at += 1;
    for (let i = 0; ; i++) {
      this.space();
      if (this.text[this.at] === ']') break;
      this.value(`${path}[${i}]`, true);
      this.space();
      if (this.text[this.at] === ',') this.at += 1;
    }
    this.at += 1;
  }

  private table(path: string): void {
    this.at += 1;
    for (;;) {
      this.space();
      if (this.text[this.at] === '}') break;
      let inner = path;
      for (const name of this.key('=')) inner = join(inner, name);
      this.value(inner, true);
      this.space();
      if (this.text[this.at] === ',') this.at += 1;
    }
    this.at += 1;
  }

  /** Blanks, line ends and comments inside a value. */
  private space(): void {
    for (;;) {
      while (this.at < this.text.length && /\s/.test(this.text[this.at] as string)) this.at += 1;
      if (this.text[this.at] !== '#') return;
      this.at = this.document.lineEnd(this.at);
    }
  }

  private bare(): string {
    const start = this.at;
    while (this.at < this.text.length && !/[,\]}#\r\n]/.test(this.text[this.at] as string)) this.at += 1;
    while (this.at > start && /[ \t]/.test(this.text[this.at - 1] as string)) this.at -= 1;
    if (this.at === start) throw this.document.error('expected a value', start);
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
    // Up to two quotes may stand before the closing three.
    while (long && text[end + 3] === quote) end += 1;
    this.at = end + (long ? 3 : 1);
    const raw = long ? text.slice(from, end).replaceAll('\r\n', '\n').replace(/^\n/, '') : text.slice(from, end);
    return { text: quote === '"' ? unescape(raw) : raw };
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function basic(text: string): string {
  return `"${escapeBasic(text, true)}"`;
}

function escapeBasic(text: string, feeds: boolean): string {
  return text.replace(/[\\"\u0000-\u001F\u007F]/g, (char) => {
    if (char === '\n') return feeds ? '\\n' : char;
    const simple = { '\\': '\\\\', '"': '\\"', '\t': '\\t', '\r': '\\r' }[char];
    return simple ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function encode(document: TextDocument, text: string, old: string): string {
  const literal = !/['\u0000-\u001F\u007F]/.test(text);
  if (old.startsWith('"""') || old.startsWith("'''")) {
    const open = /^...(\r?\n)/.exec(old)?.[1] ?? (text.startsWith('\n') ? document.eol : '');
    if (old.startsWith('"""')) return `"""${open}${escapeBasic(text, false).replaceAll('\n', document.eol)}"""`;
    return /'|[\u0000-\u0008\u000B-\u001F\u007F]/.test(text)
      ? basic(text)
      : `'''${open}${text.replaceAll('\n', document.eol)}'''`;
  }
  if (old.startsWith("'")) return literal ? `'${text}'` : basic(text);
  if (old.startsWith('"')) return basic(text);
  const kinds = [/^(?:true|false)$/, /^[-+]?\d+$/, /^[-+]?\d+\.\d+$/];
  return kinds.some((kind) => kind.test(old) && kind.test(text)) ? text : basic(text);
}

function add(document: TextDocument, changes: readonly AddChange[]): Edit[] {
  const { leaves, sections } = new Scanner(document).scan();
  const paths = [...leaves.map(({ path }) => path), ...changes.map(({ context }) => context)];
  const texts = new Set(paths);
  const tables = new Set(paths.flatMap((path) => keyAncestors('toml', path)));
  const groups = new Map<Section, string[]>();
  for (const change of changes) {
    if (tables.has(change.context) || keyAncestors('toml', change.context).some((above) => texts.has(above)))
      throw new FormatError('duplicate', `the file uses a part of "${printable(change.context)}" for something else`);
    const home =
      sections
        .filter((section) => section.path !== '' && change.context.startsWith(`${section.path}.`))
        .sort((a, b) => b.path.length - a.path.length)[0] ?? (sections[0] as Section);
    const rest = home.path === '' ? change.context : change.context.slice(home.path.length + 1);
    const key = rest
      .split('.')
      .map((name) => (/^[\w-]+$/.test(name) ? name : basic(name)))
      .join('.');
    groups.set(home, [...(groups.get(home) ?? []), `${key} = ${basic(onlyText(change))}`]);
  }
  return [...groups].flatMap(([section, lines]) => insertLines(document, lines, section.end));
}

/** TOML: every value of a table or list is one string. */
export const toml = keyedFormat({
  id: 'toml',
  dropOnCreate: false,
  empty: () => '',
  read({ document }) {
    try {
      validate(document.text);
    } catch (error) {
      if (error instanceof TomlError) {
        const message = printable(error.message.split('\n')[0] as string, 80).replace(/^Invalid TOML document: /, '');
        throw new FormatError('syntax', `not valid TOML: ${message}`, error.line, error.column);
      }
      if (error instanceof RangeError) throw document.error('too many nested levels', 0, 'limit');
      throw error;
    }
    return new Scanner(document).scan().leaves.map((leaf): KeyedParts => ({
      context: leaf.path,
      target: [leaf.text],
      offset: leaf.start,
      note: leaf.note,
      slots: [{ start: leaf.start, end: leaf.end }],
      removal: [leaf.inner ? innerSpan(document, leaf) : { start: leaf.lineStart, end: leaf.lineEnd }],
    }));
  },
  encode: ({ document }, text, slot) => encode(document, text, document.text.slice(slot.start, slot.end)),
  add: ({ document }, changes) => add(document, changes),
});

/** A value in a list with the comma behind it; a member of an inline table with its key too. */
function innerSpan({ text }: TextDocument, leaf: Leaf): { start: number; end: number } {
  const before = /(?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*\s*=\s*$/.exec(
    text.slice(Math.max(leaf.lineStart, leaf.start - 500), leaf.start),
  );
  const start = leaf.start - (before && !leaf.path.endsWith(']') ? before[0].length : 0);
  const after = /^\s*,[ \t]*/.exec(text.slice(leaf.end, leaf.end + 200));
  if (after) return { start, end: leaf.end + after[0].length };
  const comma = /,\s*$/.exec(text.slice(leaf.lineStart, start));
  return { start: comma ? start - comma[0].length : start, end: leaf.end };
}
