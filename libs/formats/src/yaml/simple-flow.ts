import { NotSimple } from '../core/simple';
import type { YamlAlias, YamlMap, YamlNode, YamlPair, YamlScalar, YamlSeq } from './node';
import {
  afterBlanks,
  aliasAt,
  lineAfter,
  MAX_DEPTH,
  MAX_KEY,
  plainScalar,
  quotedAt,
  readProperties,
  take,
  withProperties,
  type PlainValue,
} from './simple-text';

/** One line of a plain scalar in flow style. */
const FIRST = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=[^\s,[\]{}]))/y;
// eslint-disable-next-line regexp/no-super-linear-backtracking -- nothing follows the loop that could fail
const LINE = /(?:[^\s,[\]{}:]+|:(?=[^\s,[\]{}])|[ \t]+(?=[^\s,[\]{}:#]|:(?=[^\s,[\]{}])))+/y;

/** A flow list or map whose lines are indented deeper than `indent`. */
export function flowAt(text: string, at: number, indent: number, valueOf: PlainValue): YamlMap | YamlSeq {
  return new FlowParser(text, indent, valueOf).collection(at);
}

class FlowParser {
  private depth = 0;
  /** Behind the last node. */
  private end = 0;

  constructor(
    private readonly text: string,
    private readonly indent: number,
    private readonly valueOf: PlainValue,
  ) {}

  collection(from: number): YamlMap | YamlSeq {
    const { text } = this;
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NotSimple();
    const map = text[from] === '{';
    const close = map ? '}' : ']';
    const pairs: YamlPair[] = [];
    const items: YamlNode[] = [];
    let at = this.skip(from + 1);
    while (text[at] !== close) {
      const first = this.node(at);
      if (map) pairs.push(this.pair(first));
      else items.push(this.item(first));
      at = this.skip(this.end);
      if (text[at] === ',') at = this.skip(at + 1);
      else if (text[at] !== close) throw new NotSimple();
    }
    this.depth -= 1;
    this.end = at + 1;
    const { end } = this;
    // A grown array reserves capacity; slicing frees it.
    return map
      ? { kind: 'map', items: pairs.slice(), flow: true, start: from, end }
      : { kind: 'seq', items: items.slice(), flow: true, start: from, end };
  }

  private pair(key: YamlNode): YamlPair {
    const colon = this.colonAfter(key);
    if (colon === undefined) return { key, value: undefined };
    const at = this.skip(colon + 1);
    const next = this.text[at];
    if (next === ',' || next === '}') {
      this.end = at;
      return { key, value: undefined };
    }
    return { key, value: this.node(at) };
  }

  /** An item of a list. An item with a colon is an implicit map. */
  private item(first: YamlNode): YamlNode {
    const colon = this.colonAfter(first);
    if (colon === undefined) return first;
    const at = this.skip(colon + 1);
    if (this.text[at] === ',' || this.text[at] === ']') throw new NotSimple();
    const value = this.node(at);
    return { kind: 'map', items: [{ key: first, value }], flow: true, start: first.start, end: this.end };
  }

  /** The colon after a key. After quotes and brackets, it needs no blank. */
  private colonAfter(key: YamlNode): number | undefined {
    const { text } = this;
    const { start, end } = key;
    const at = afterBlanks(text, end);
    if (text[at] !== ':') return undefined;
    if (key.kind !== 'scalar' || end - start > MAX_KEY || text.slice(start, end).includes('\n')) throw new NotSimple();
    const next = text[at + 1];
    if (key.style === 'plain' && next !== ' ' && next !== '\n' && next !== '\r') throw new NotSimple();
    return at;
  }

  private node(at: number): YamlNode {
    const { text } = this;
    const char = text[at];
    if (char === '[' || char === '{') return this.collection(at);
    if (char === '&' || char === '!') {
      const found = readProperties(text, at);
      return withProperties(this.node(afterBlanks(text, found.end)), found);
    }
    const node = this.scalarOrAlias(at);
    this.end = node.end;
    return node;
  }

  private scalarOrAlias(at: number): YamlScalar | YamlAlias {
    const { text } = this;
    const char = text[at];
    if (char === '*') return aliasAt(text, at);
    return char === '"' || char === "'" ? quotedAt(text, at, this.indent) : this.plain(at);
  }

  private plain(at: number): YamlScalar {
    const { text } = this;
    take(FIRST, text, at);
    let source = take(LINE, text, at);
    let end = at + source.length;
    for (let from = this.lineEnd(end); from !== undefined; from = this.lineEnd(end)) {
      const next = this.skip(from);
      const char = text[next] as string | undefined;
      if (char === undefined || ',[]{}#'.includes(char) || (char === ':' && /[\s,[\]{}]/.test(text[next + 1] ?? ' ')))
        break;
      const feeds = text.slice(end, next).split('\n').length - 2;
      if (text.slice(end, next).includes('#')) throw new NotSimple();
      const line = take(LINE, text, next);
      source += (feeds > 0 ? '\n'.repeat(feeds) : ' ') + line;
      end = next + line.length;
    }
    return plainScalar(source, at, end, this.valueOf);
  }

  /** The line end here, after optional blanks. */
  private lineEnd(end: number): number | undefined {
    const at = afterBlanks(this.text, end);
    const char = this.text[at];
    return char === '\n' || (char === '\r' && this.text[at + 1] === '\n') ? at : undefined;
  }

  /** Skips blanks, line ends and comments. New lines must be indented deeper than the parent. */
  private skip(from: number): number {
    const { text } = this;
    let line = -1;
    for (let at = from; ;) {
      const code = text.charCodeAt(at);
      if (code === 10) {
        at += 1;
        line = at;
      } else if (code === 32 || (code === 13 && text.charCodeAt(at + 1) === 10)) at += 1;
      else if (code === 9) {
        if (line >= 0) throw new NotSimple();
        at += 1;
      } else if (code === 35) {
        if (!/\s/.test(text[at - 1] ?? '')) throw new NotSimple();
        at = lineAfter(text, at);
        line = at;
      } else {
        // The closing bracket may be indented like the parent.
        const closes = this.depth === 1 && at - line === this.indent && (code === 93 || code === 125);
        if (line >= 0 && at - line <= this.indent && !closes) throw new NotSimple();
        return at;
      }
    }
  }
}
