import {
  writtenValue,
  type Range,
  type YamlMap,
  type YamlNode,
  type YamlPair,
  type YamlScalar,
  type YamlSeq,
} from './node';

/** Thrown where the text holds something that is left to the library. */
class NotSimple extends Error {}

const MAX_DEPTH = 100;
const KEY = /(?:([^\s\-?:,[\]{}#&*!|>'"%@`~][^\s:#]*(?: [^\s:#]+)*)|"([^"\\\r\n]*)"|'([^'\r\n]*)') ?:(?=[ \r\n]|$)/y;
const DOUBLE = /"(?:[^"\\\r\n]|\\[^\r\n])*"/y;
const SINGLE = /'(?:[^'\r\n]|'')*'/y;
const REST = /[ ]*(?:[ ]#[^\r\n]*)?(?=\r?\n|$)/y;
const HEADER = /[|>][+-]?(?=[ ]*\r?\n)/y;
/** What a plain text may begin with; a dash or colon only before a character that is no blank. */
const PLAIN = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=[^\s,[\]{}]))[^\r\n]*/y;
const FLOW_ITEM = /[^\s\-?:,[\]{}#&*!|>'"%@`](?:[^,[\]{}#:\r\n"']*[^\s,[\]{}#:"'])?|:[a-z_]+/y;
const NOT_TEXT =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|0o[0-7]+|0x[\da-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/**
 * Reads what nearly all translation files consist of, maps and lists of texts in all styles, many times faster than the whole
 * language. Gives undefined for a file with anything else in it (anchors, tags, texts in quotes over several lines, several
 * documents, mistakes), which the library then reads; both give the same tree.
 */
export function parseSimple(text: string): YamlMap | YamlSeq | undefined {
  try {
    return new SimpleParser(text).document();
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
}

class SimpleParser {
  /** Start of the line that comes next. */
  private line = 0;
  /** First character of the next line with content, and its column; -1 at the end of the text. */
  private at = 0;
  private indent = -1;
  private depth = 0;
  /** Behind the line of the last value. */
  private end = 0;

  constructor(private readonly text: string) {}

  document(): YamlMap | YamlSeq | undefined {
    this.line = /^---[ ]*\r?\n/.exec(this.text)?.[0].length ?? 0;
    this.next();
    if (this.indent < 0) return undefined;
    const root = this.block(this.indent);
    if (this.indent >= 0) throw new NotSimple();
    return root;
  }

  /** Goes to the next line that is neither blank nor a comment. */
  private next(): void {
    const { text } = this;
    for (;;) {
      let at = this.line;
      while (text.charCodeAt(at) === 32) at += 1;
      const char = text[at];
      if (char === undefined) {
        this.indent = -1;
        return;
      }
      if (char !== '\n' && char !== '\r' && char !== '#') {
        if (char === '\t' || (at === this.line && (text.startsWith('---', at) || text.startsWith('...', at))))
          throw new NotSimple();
        this.at = at;
        this.indent = at - this.line;
        return;
      }
      if (char === '\r' && text[at + 1] !== '\n') throw new NotSimple();
      this.line = this.lineAfter(at);
    }
  }

  private lineAfter(at: number): number {
    const feed = this.text.indexOf('\n', at);
    return feed < 0 ? this.text.length : feed + 1;
  }

  private block(indent: number): YamlMap | YamlSeq {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NotSimple();
    const node = this.isDash() ? this.list(indent) : this.map(indent);
    this.depth -= 1;
    return node;
  }

  private isDash(): boolean {
    const next = this.text[this.at + 1];
    return this.text[this.at] === '-' && (next === ' ' || next === '\n' || next === '\r' || next === undefined);
  }

  private map(indent: number): YamlMap {
    const start = this.at;
    const items: YamlPair[] = [];
    while (this.indent === indent && !this.isDash()) {
      KEY.lastIndex = this.at;
      const match = KEY.exec(this.text);
      if (!match) throw new NotSimple();
      const colon = KEY.lastIndex - 1;
      const name = match[1] ?? match[2] ?? match[3] ?? '';
      const keyEnd = this.text[colon - 1] === ' ' ? colon - 1 : colon;
      const style = match[1] !== undefined ? 'plain' : match[2] !== undefined ? 'double' : 'single';
      const key = scalar(name, style, name, this.at, keyEnd);
      items.push({ key, value: writtenValue(this.value(colon + 1, indent, true)) });
    }
    if (this.indent > indent) throw new NotSimple();
    return { kind: 'map', items, flow: false, range: [start, this.end] };
  }

  private list(indent: number): YamlSeq {
    const start = this.at;
    const items: YamlNode[] = [];
    while (this.indent === indent && this.isDash()) items.push(this.value(this.at + 1, indent, false));
    if (this.indent > indent) throw new NotSimple();
    return { kind: 'seq', items, flow: false, range: [start, this.end] };
  }

  /** What follows a colon or a dash; afterwards the next line with content is found. */
  private value(from: number, indent: number, ofKey: boolean): YamlNode {
    const { text } = this;
    let at = from;
    while (text.charCodeAt(at) === 32) at += 1;
    REST.lastIndex = from;
    if (REST.test(text)) return this.below(from, indent, ofKey);
    const char = text[at] as string;
    if (char === '|' || char === '>') return this.blockText(at, indent, char);
    if (!ofKey && this.compact(at)) {
      this.indent = at - this.line;
      this.at = at;
      return this.block(this.indent);
    }
    if (char === '[' || char === '{') return this.finish(this.flow(at), indent);
    if (char === '"' || char === "'") return this.finish(this.quoted(at), indent);
    return this.plain(at, indent);
  }

  /** Whether a list or map begins behind a dash. */
  private compact(at: number): boolean {
    const next = this.text[at + 1];
    if (this.text[at] === '-' && (next === ' ' || next === '\n' || next === '\r')) return true;
    KEY.lastIndex = at;
    return KEY.test(this.text);
  }

  /** The value stands in the lines below, or there is none. */
  private below(from: number, indent: number, ofKey: boolean): YamlNode {
    this.line = this.lineAfter(from);
    const end = this.line;
    this.next();
    const deeper = this.indent > indent || (ofKey && this.indent === indent && this.indent >= 0 && this.isDash());
    if (deeper) return this.block(this.indent);
    this.end = end;
    return scalar(null, 'plain', '', from, from);
  }

  /** A value of one line: nothing but a comment may stand behind it. */
  private finish<N extends YamlNode>(node: N, indent: number): N {
    REST.lastIndex = node.range[1];
    if (!REST.test(this.text)) throw new NotSimple();
    this.line = this.lineAfter(node.range[1]);
    this.end = this.line;
    this.next();
    if (this.indent > indent) throw new NotSimple();
    return node;
  }

  private quoted(at: number): YamlScalar {
    const raw = take(this.text[at] === '"' ? DOUBLE : SINGLE, this.text, at);
    const inner = raw.slice(1, -1);
    if (raw.startsWith("'")) return scalar(inner.replaceAll("''", "'"), 'single', inner, at, at + raw.length);
    return scalar(unescape(inner), 'double', inner, at, at + raw.length);
  }

  private plain(at: number, indent: number): YamlScalar {
    let raw = take(PLAIN, this.text, at);
    const comment = raw.search(/[ \t]#/);
    if (comment >= 0) raw = raw.slice(0, comment);
    raw = raw.trimEnd();
    if (/:(?:[ \t]|$)/.test(raw) || raw.includes('\t')) throw new NotSimple();
    const value = NOT_TEXT.test(raw) ? typed(raw) : raw;
    return this.finish(scalar(value, 'plain', raw, at, at + raw.length), indent);
  }

  /** A list or map between brackets on one line, without others in it. */
  private flow(from: number): YamlMap | YamlSeq {
    const { text } = this;
    const map = text[from] === '{';
    const close = map ? '}' : ']';
    const pairs: YamlPair[] = [];
    const items: YamlNode[] = [];
    let at = this.skip(from + 1);
    while (text[at] !== close) {
      const first = this.flowScalar(at);
      at = this.skip(first.range[1]);
      if (map) {
        if (text[at] !== ':' || text[at + 1] !== ' ' || at !== first.range[1]) throw new NotSimple();
        const value = this.flowScalar(this.skip(at + 1));
        pairs.push({ key: first, value });
        at = this.skip(value.range[1]);
      } else items.push(first);
      if (text[at] === ',') at = this.skip(at + 1);
      else if (text[at] !== close) throw new NotSimple();
    }
    const range: Range = [from, at + 1];
    return map ? { kind: 'map', items: pairs, flow: true, range } : { kind: 'seq', items, flow: true, range };
  }

  private flowScalar(at: number): YamlScalar {
    if (this.text[at] === '"' || this.text[at] === "'") return this.quoted(at);
    const raw = take(FLOW_ITEM, this.text, at);
    return scalar(NOT_TEXT.test(raw) ? typed(raw) : raw, 'plain', raw, at, at + raw.length);
  }

  private skip(at: number): number {
    while (this.text.charCodeAt(at) === 32) at += 1;
    return at;
  }

  /** A literal or folded block, whose first line gives the indentation. */
  private blockText(at: number, indent: number, sign: '|' | '>'): YamlScalar {
    const { text } = this;
    const header = take(HEADER, text, at);
    const lines: string[] = [];
    let width = 0;
    let lineStart = this.lineAfter(at);
    let end = lineStart;
    for (;;) {
      let content = lineStart;
      while (text.charCodeAt(content) === 32) content += 1;
      const stop = this.lineAfter(lineStart);
      const line = text.slice(lineStart, stop).replace(/\r?\n$/, '');
      if (lineStart >= text.length) break;
      const blank = content >= lineStart + line.length;
      if (!blank && content - lineStart <= indent) break;
      if (width === 0 && blank) throw new NotSimple();
      if (width === 0) width = content - lineStart;
      if (
        (!blank && content - lineStart < width) ||
        line.includes('\r') ||
        (blank && line.length > width) ||
        stop === lineStart + line.length
      )
        throw new NotSimple();
      lines.push(blank ? '' : line.slice(width));
      lineStart = stop;
      if (!blank || header.endsWith('+')) end = stop;
    }
    if (lines.length === 0) throw new NotSimple();
    while (lines.at(-1) === '') {
      if (header.endsWith('+')) throw new NotSimple();
      lines.pop();
    }
    if (sign === '>' && lines.some((line) => /^[ \t]/.test(line))) throw new NotSimple();
    const body =
      sign === '|' ? lines.join('\n') : lines.join('\n').replace(/\n(\n*)/g, (_, more: string) => more || ' ');
    this.line = lineStart;
    this.next();
    if (this.indent > indent) throw new NotSimple();
    this.end = end;
    const style = sign === '|' ? 'literal' : 'folded';
    return scalar(header.endsWith('-') ? body : `${body}\n`, style, body, at, end);
  }
}

function take(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (!match) throw new NotSimple();
  return match[0];
}

/** A plain word that is no text: what it is does not matter here but for its kind. */
function typed(raw: string): unknown {
  if (/^(?:~|null)$/i.test(raw)) return null;
  return /^(?:true|false)$/i.test(raw) ? raw.toLowerCase() === 'true' : Number(raw);
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
  '"': '"',
  '\\': '\\',
  '/': '/',
  ' ': ' ',
  '\t': '\t',
};

function unescape(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([^]))/g,
    (_, byte?: string, unit?: string, char?: string) => {
      const hex = byte ?? unit;
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      const simple = ESCAPES[char ?? ''];
      if (simple === undefined) throw new NotSimple();
      return simple;
    },
  );
}

function scalar(value: unknown, style: YamlScalar['style'], source: string, start: number, end: number): YamlScalar {
  return { kind: 'scalar', value, style, source, range: [start, end] };
}
