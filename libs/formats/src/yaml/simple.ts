import {
  writtenValue,
  type Range,
  type YamlAlias,
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
const ANCHOR = /&([^\s,[\]{}]+)(?=[ \r\n]|$)/y;
const ALIAS = /\*([^\s,[\]{}]*[^\s,[\]{}:])(?=[ \r\n,\]}]|$)/y;
/** A text in quotes over several lines. */
const LINES = /"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'/y;
const NOT_TEXT =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|0o[0-7]+|0x[\da-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/**
 * Reads what nearly all translation files consist of, maps and lists of texts in all styles, many times faster than the whole
 * language. Gives undefined for a file with anything else in it (tags, keys of several lines, several documents, mistakes), which
 * the library then reads; both give the same tree.
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
    if (text[at] === '&') return this.anchored(at, indent, ofKey);
    if (text[at] === '*') return this.finish(this.alias(at), indent);
    const char = text[at] as string;
    if (char === '|' || char === '>') return this.blockText(at, indent, char);
    if (!ofKey && this.compact(at)) {
      this.indent = at - this.line;
      this.at = at;
      return this.block(this.indent);
    }
    if (char === '[' || char === '{') return this.finish(this.flow(at, indent), indent);
    return this.scalarAt(at, indent);
  }

  private scalarAt(at: number, indent: number): YamlNode {
    const char = this.text[at];
    return char === '"' || char === "'" ? this.finish(this.quoted(at, indent), indent) : this.plain(at, indent);
  }

  private anchored(at: number, indent: number, ofKey: boolean): YamlNode {
    const name = take(ANCHOR, this.text, at).slice(1);
    let from = at + name.length + 1;
    while (this.text.charCodeAt(from) === 32) from += 1;
    // Behind an anchor a map begins on the next line; and two anchors are a mistake.
    if (this.text[from] === '&' || this.text[from] === '*' || (!ofKey && this.compact(from))) throw new NotSimple();
    const node = this.value(at + name.length + 1, indent, ofKey);
    if (node.kind === 'alias' || (node.kind === 'scalar' && node.range[0] === node.range[1])) throw new NotSimple();
    node.anchor = name;
    return node;
  }

  private alias(at: number): YamlAlias {
    const raw = take(ALIAS, this.text, at);
    return { kind: 'alias', name: raw.slice(1), range: [at, at + raw.length] };
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
    if (deeper) {
      const { at } = this;
      KEY.lastIndex = at;
      // A text on a line of its own.
      if (this.indent > indent && /[^-?:,[\]{}#&*!|>%@`]/.test(this.text[at]!) && !KEY.test(this.text))
        return this.scalarAt(at, indent);
      return this.block(this.indent);
    }
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

  private quoted(at: number, indent: number): YamlScalar {
    const single = this.text[at] === "'";
    const style = single ? 'single' : 'double';
    const pattern = single ? SINGLE : DOUBLE;
    pattern.lastIndex = at;
    let raw = pattern.exec(this.text)?.[0];
    let inner = raw?.slice(1, -1);
    if (raw === undefined) {
      raw = take(LINES, this.text, at);
      inner = foldQuoted(raw.slice(1, -1), indent, single);
    }
    const value = single ? inner!.replaceAll("''", "'") : unescape(inner!);
    return scalar(value, style, inner!, at, at + raw.length);
  }

  private plain(at: number, indent: number): YamlScalar {
    const { text } = this;
    let { raw, last } = this.plainLine(at);
    let end = at + raw.length;
    let several = false;
    let feeds = 0;
    for (let line = this.lineAfter(end); !last && line < text.length; line = this.lineAfter(line)) {
      let from = line;
      while (text.charCodeAt(from) === 32) from += 1;
      const char = text[from];
      if (char === '\n' || (char === '\r' && text[from + 1] === '\n')) {
        feeds += 1;
        continue;
      }
      if (char === undefined || from - line <= indent || char === '#') break;
      const next = this.plainLine(from);
      raw += (feeds > 0 ? '\n'.repeat(feeds) : ' ') + next.raw;
      ({ last } = next);
      end = from + next.raw.length;
      several = true;
      feeds = 0;
    }
    const value = !several && NOT_TEXT.test(raw) ? typed(raw) : raw;
    return this.finish(scalar(value, 'plain', raw, at, end), indent);
  }

  /** One line of a plain text; it is the last one if a comment follows. */
  private plainLine(at: number): { raw: string; last: boolean } {
    let raw = take(PLAIN, this.text, at);
    const comment = raw.search(/[ \t]#/);
    if (comment >= 0) raw = raw.slice(0, comment);
    raw = raw.trimEnd();
    if (/:(?:[ \t]|$)/.test(raw) || raw.includes('\t')) throw new NotSimple();
    return { raw, last: comment >= 0 };
  }

  /** A list or map between brackets; pairs have a blank behind the colon. */
  private flow(from: number, indent: number): YamlMap | YamlSeq {
    const { text } = this;
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NotSimple();
    const map = text[from] === '{';
    const close = map ? '}' : ']';
    const pairs: YamlPair[] = [];
    const items: YamlNode[] = [];
    let at = this.skip(from + 1, indent);
    while (text[at] !== close) {
      const first = map ? this.flowScalar(at) : this.flowNode(at, indent);
      if (map) {
        at = first.range[1];
        if (text[at] !== ':' || text[at + 1] !== ' ') throw new NotSimple();
        const value = this.flowNode(this.skip(at + 1, indent), indent);
        pairs.push({ key: first, value });
        at = this.skip(value.range[1], indent);
      } else {
        items.push(first);
        at = this.skip(first.range[1], indent);
      }
      if (text[at] === ',') at = this.skip(at + 1, indent);
      else if (text[at] !== close) throw new NotSimple();
    }
    this.depth -= 1;
    const range: Range = [from, at + 1];
    return map ? { kind: 'map', items: pairs, flow: true, range } : { kind: 'seq', items, flow: true, range };
  }

  private flowNode(at: number, indent: number): YamlNode {
    const char = this.text[at];
    if (char === '[' || char === '{') return this.flow(at, indent);
    return char === '*' ? this.alias(at) : this.flowScalar(at);
  }

  private flowScalar(at: number): YamlScalar {
    const char = this.text[at];
    if (char === '"' || char === "'") return this.quoted(at, Infinity);
    const raw = take(FLOW_ITEM, this.text, at);
    return scalar(NOT_TEXT.test(raw) ? typed(raw) : raw, 'plain', raw, at, at + raw.length);
  }

  /** Over blanks and line ends; the lines of a value are deeper than what it belongs to. */
  private skip(from: number, indent: number): number {
    const { text } = this;
    let at = from;
    for (let line = -1; ; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 10) line = at + 1;
      else if (code !== 32 && !(code === 13 && text.charCodeAt(at + 1) === 10)) {
        if (line >= 0 && at - line <= indent) throw new NotSimple();
        return at;
      }
    }
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

/** A text in quotes over several lines, each deeper than `indent`, as the one line that it stands for. */
function foldQuoted(inner: string, indent: number, single: boolean): string {
  const lines = inner.split(/\r?\n/);
  if (inner.includes('\t') || /\r(?!\n)/.test(inner)) throw new NotSimple();
  let result = '';
  /** What stands for the line end before the next line: nothing where it is escaped. */
  let gap: string | undefined;
  let feeds = 0;
  lines.forEach((line, i) => {
    const last = i === lines.length - 1;
    const text = i === 0 ? line : line.trimStart();
    if (i > 0 && (text !== '' || last) && line.length - text.length <= indent) throw new NotSimple();
    if (i > 0 && text === '' && !last) {
      feeds += 1;
      if (gap === '') throw new NotSimple();
      return;
    }
    if (i > 0) result += feeds > 0 ? '\n'.repeat(feeds) : gap;
    feeds = 0;
    gap = ' ';
    if (last) result += text;
    else if (!single && /(?<!\\)(?:\\\\)*\\$/.test(text)) {
      result += text.slice(0, -1);
      gap = '';
    } else {
      const cut = text.trimEnd();
      if (!single && cut !== text && cut.endsWith('\\')) throw new NotSimple();
      result += cut;
    }
  });
  return result;
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
