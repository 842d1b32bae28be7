import { isScalar, Schema, type ScalarTag } from 'yaml';
import { NotSimple } from '../core/simple';
import type { YamlAlias, YamlNode, YamlScalar } from './node';

/** Maximum nesting of the fast scanner. */
export const MAX_DEPTH = 100;
/** Maximum length of implicit keys. The library reports longer ones. */
export const MAX_KEY = 1000;

// Matches whole runs: an alternation per character takes several times as long.
const DOUBLE = /"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"/y;
const SINGLE = /'[^'\r\n]*(?:''[^'\r\n]*)*'/y;
/** A quoted scalar over several lines. */
const LINES = /"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'/y;
const HEADER = /[|>](?:[1-9][+-]?|[+-][1-9]?)?(?=[ \t]*(?:[ \t]#[^\r\n]*)?\r?\n)/y;
const ANCHOR = /&([^\s,[\]{}]+)(?=[ \t\r\n]|$)/y;
const ALIAS = /\*([^\s,[\]{}]*[^\s,[\]{}:])(?=[ \t\r\n,\]}]|$)/y;
/** Tags that do not change the type of a text: `!!str` and application tags. */
const TAG = /!(?:!str|[\w\-./:@+~]*)(?=[ \t\r\n]|$)/y;
const NOT_TEXT =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|0o[0-7]+|0x[\da-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** Node properties: anchor and tag. */
export interface Properties {
  anchor: string | undefined;
  tag: string | undefined;
  /** Offset after the properties; offset of the value if there are none. */
  end: number;
}

export function take(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  if (!pattern.test(text)) throw new NotSimple();
  return text.slice(at, pattern.lastIndex);
}

export function scalar(
  value: unknown,
  style: YamlScalar['style'],
  source: string,
  start: number,
  end: number,
): YamlScalar {
  return { kind: 'scalar', value, style, source, start, end };
}

export function afterBlanks(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || code === 9; code = text.charCodeAt(at)) at += 1;
  return at;
}

/** Start of the line after `at`. */
export function lineAfter(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed + 1;
}

export function readProperties(text: string, from: number): Properties {
  const found: Properties = { anchor: undefined, tag: undefined, end: from };
  for (let at = from; ; at = afterBlanks(text, found.end)) {
    const sign = text[at];
    if (sign === '&' && found.anchor === undefined) {
      found.anchor = take(ANCHOR, text, at).slice(1);
      found.end = at + found.anchor.length + 1;
    } else if (sign === '!' && found.tag === undefined) {
      found.tag = take(TAG, text, at);
      found.end = at + found.tag.length;
    } else if (sign === '&' || sign === '!' || (sign === '*' && found.end > from)) throw new NotSimple();
    else return found;
  }
}

/** The alias at this offset. */
export function aliasAt(text: string, at: number): YamlAlias {
  const name = take(ALIAS, text, at).slice(1);
  return { kind: 'alias', name, start: at, end: at + name.length + 1 };
}

/** Adds the properties to a node. */
export function withProperties(node: YamlNode, { anchor, tag }: Properties): YamlNode {
  if (node.kind === 'alias' || (node.kind === 'scalar' && node.start === node.end)) throw new NotSimple();
  if (anchor !== undefined) node.anchor = anchor;
  if (tag === undefined) return node;
  if (node.kind === 'scalar') return { ...node, value: node.source };
  if (tag === '!!str') throw new NotSimple();
  return node;
}

/** Value of a plain scalar. */
export type PlainValue = (source: string) => unknown;

export function plainValue(source: string): unknown {
  if (!NOT_TEXT.test(source)) return source;
  if (/^(?:~|null)$/i.test(source)) return null;
  return /^(?:true|false)$/i.test(source) ? source.toLowerCase() === 'true' : Number(source);
}

export function plainScalar(source: string, start: number, end: number, valueOf: PlainValue): YamlScalar {
  return scalar(valueOf(source), 'plain', source, start, end);
}

/** Booleans, nulls, numbers and timestamps of YAML 1.1, as in the library. */
const OLD_TAGS = new Schema({ schema: 'yaml-1.1' }).tags.filter(
  (tag): tag is ScalarTag => !tag.collection && tag.default === true && tag.test !== undefined,
);

/** Pre-check by the first characters, which most texts fail. */
const MAYBE_OLD = /^(?:[-+.~\d]|[a-z]{1,5}$)/i;

export function oldPlainValue(source: string): unknown {
  const found = MAYBE_OLD.test(source) ? OLD_TAGS.find((tag) => tag.test?.test(source)) : undefined;
  if (!found) return source;
  const value = found.resolve(source, () => undefined, {});
  return isScalar(value) ? value.value : value;
}

/** A quoted scalar. Continuation lines are indented deeper than `indent`. */
export function quotedAt(text: string, at: number, indent: number): YamlScalar {
  const single = text[at] === "'";
  const pattern = single ? SINGLE : DOUBLE;
  pattern.lastIndex = at;
  let raw = pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined;
  let inner = raw?.slice(1, -1);
  if (raw === undefined) {
    raw = take(LINES, text, at);
    inner = foldQuoted(raw.slice(1, -1), indent, single);
  }
  const value = single ? inner!.replaceAll("''", "'") : unescape(inner!);
  return scalar(value, single ? 'single' : 'double', value, at, at + raw.length);
}

/** Unfolds a quoted scalar over several lines. */
function foldQuoted(inner: string, indent: number, single: boolean): string {
  if (/\r(?!\n)/.test(inner)) throw new NotSimple();
  const lines = inner.split(/\r?\n/);
  let result = '';
  /** Replacement of a folded line end; empty if it is escaped. */
  let gap: string | undefined;
  let feeds = 0;
  lines.forEach((line, i) => {
    const last = i === lines.length - 1;
    const from = i === 0 ? 0 : afterBlanks(line, 0);
    const text = line.slice(from);
    const shallow = from <= indent || line.slice(0, indent + 1).includes('\t');
    if (i > 0 && (text !== '' || last) && shallow) throw new NotSimple();
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
      const cut = text.replace(/(?<![ \t])[ \t]+$/, '');
      if (!single && cut !== text && cut.endsWith('\\')) throw new NotSimple();
      result += cut;
    }
  });
  return result;
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
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g,
    (_, byte?: string, unit?: string, point?: string, char?: string) => {
      const hex = byte ?? unit ?? point;
      if (hex !== undefined) {
        const code = parseInt(hex, 16);
        if (code > 0x10ffff) throw new NotSimple();
        return String.fromCodePoint(code);
      }
      const simple = ESCAPES[char ?? ''];
      if (simple === undefined) throw new NotSimple();
      return simple;
    },
  );
}

/** A literal or folded block, and the start of the next line with content. */
export function blockAt(text: string, at: number, indent: number): { node: YamlScalar; next: number } {
  const header = take(HEADER, text, at);
  const keepsBreaks = header.includes('+');
  const givenIndent = /[1-9]/.exec(header)?.[0];
  const lines: string[] = [];
  let width = givenIndent === undefined ? 0 : Math.max(indent, 0) + Number(givenIndent);
  let lineStart = lineAfter(text, at);
  let end = lineStart;
  while (lineStart < text.length) {
    let content = lineStart;
    while (text.charCodeAt(content) === 32) content += 1;
    const stop = lineAfter(text, lineStart);
    let lineEnd = text.charCodeAt(stop - 1) === 10 ? stop - 1 : stop;
    const open = lineEnd === stop;
    if (text.charCodeAt(lineEnd - 1) === 13) lineEnd -= 1;
    const blank = content >= lineEnd;
    if (!blank && content - lineStart <= indent) break;
    if (!blank && width === 0) width = content - lineStart;
    // Tabs as indentation, and blank lines longer than the indentation, need the library.
    const isUnusual = blank ? content - lineStart > width || open : content - lineStart < width;
    if (isUnusual) throw new NotSimple();
    const line = text.slice(Math.min(lineStart + width, lineEnd), lineEnd);
    if (line.includes('\r')) throw new NotSimple();
    lines.push(line);
    lineStart = stop;
    if (!blank || keepsBreaks) end = stop;
  }
  let tail = 0;
  while (lines.length > 0 && lines.at(-1) === '') {
    lines.pop();
    tail += 1;
  }
  if (lines.length === 0) throw new NotSimple();
  const body = header.startsWith('|') ? lines.join('\n') : folded(lines);
  const feeds = header.includes('-') ? 0 : keepsBreaks ? tail + 1 : 1;
  const value = body + '\n'.repeat(feeds);
  return {
    node: scalar(value, header.startsWith('|') ? 'literal' : 'folded', value, at, end),
    next: lineStart,
  };
}

/** Folds line ends to blanks, except around blank and more-indented lines. */
function folded(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line !== '');
  let value = '\n'.repeat(first);
  let gap = '';
  let wasDeeper = false;
  for (const line of lines.slice(first)) {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (gap === ' ') gap = '\n';
      else if (!wasDeeper && gap === '\n') gap = '\n\n';
      value += gap + line;
      gap = '\n';
      wasDeeper = true;
    } else if (line === '') {
      if (gap === '\n') value += '\n';
      else gap = '\n';
    } else {
      value += gap + line;
      gap = ' ';
      wasDeeper = false;
    }
  }
  return value;
}
