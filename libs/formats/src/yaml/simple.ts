import { writtenValue, type YamlMap, type YamlNode, type YamlPair, type YamlScalar, type YamlSeq } from './node';
import { ifSimple, NotSimple } from '../core/simple';
import { flowAt } from './simple-flow';
import {
  afterBlanks,
  aliasAt,
  blockAt,
  lineAfter,
  MAX_DEPTH,
  MAX_KEY,
  oldPlainValue,
  plainScalar,
  plainValue,
  quotedAt,
  readProperties,
  scalar,
  take,
  withProperties,
  type PlainValue,
  type Properties,
} from './simple-text';

const PLAIN_KEY =
  /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=[^\s]))(?:[^\s:]|:(?=[^\s])|[ \t]+(?=[^\s:#]|:(?=[^\s])))*(?=[ \t]*:(?:[ \t\r\n]|$))/y;
const QUOTED_KEY = /(?:"(?:[^"\\\r\n]|\\[^\r\n])*"|'(?:[^'\r\n]|'')*')(?=[ \t]*:(?:[ \t\r\n]|$))/y;
const REST = /[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?=\r?\n|$)/y;
/** First characters of a plain scalar. A dash or colon requires a following non-blank. */
const PLAIN = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=[^\s]))[^\r\n]*/y;
/** Prologue: comments, `%YAML`, and the document start marker. */
const HEAD =
  /^(?:(?:[ ]*(?:#[^\r\n]*)?\r?\n)*(?:%YAML 1\.(?:2|(1))[ \t]*\r?\n)?---[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?:\r?\n|$))?/;
const FOOT = /^\.\.\.[ \t]*(?:\r?\n[ \t]*(?:#[^\r\n]*)?)*$/;

/**
 * Fast scanner for the subset of YAML that translation files use: maps and lists of texts in all styles. Returns undefined outside
 * the subset (language-specific tags, several documents, keys that are not texts, errors); then the library parses the file. Both
 * give the same tree.
 */
export function parseSimple(text: string): YamlMap | YamlSeq | undefined {
  return ifSimple(() => {
    const [head, old] = HEAD.exec(text) as RegExpExecArray;
    const foot = text.search(/^\.\.\./m);
    if (foot >= 0 && !FOOT.test(text.slice(foot))) return undefined;
    return new SimpleParser(foot < 0 ? text : text.slice(0, foot), old ? oldPlainValue : plainValue).document(
      head.length,
    );
  });
}

class SimpleParser {
  /** Start of the next line. */
  private line = 0;
  /** Offset of the next line's first non-blank, and its column; -1 at the end of the text. */
  private at = 0;
  private indent = -1;
  private depth = 0;
  /** Offset after the line of the last value. */
  private end = 0;

  constructor(
    private readonly text: string,
    private readonly valueOf: PlainValue,
  ) {}

  document(from: number): YamlMap | YamlSeq | undefined {
    const { text } = this;
    // The marker of another document ends all open blocks.
    if (text.startsWith('---', from) || text.includes('\n---', Math.max(from - 1, 0))) throw new NotSimple();
    this.line = from;
    this.next();
    if (this.indent < 0) return undefined;
    const flow = text[this.at] === '{' || text[this.at] === '[';
    const root = flow ? this.finish(flowAt(text, this.at, -1, this.valueOf), -1) : this.block(this.indent);
    if (this.indent >= 0) throw new NotSimple();
    return root;
  }

  /** Advances to the next line that is neither blank nor a comment. */
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
        if (char === '\t') throw new NotSimple();
        this.at = at;
        this.indent = at - this.line;
        return;
      }
      if (char === '\r' && text[at + 1] !== '\n') throw new NotSimple();
      this.line = lineAfter(text, at);
    }
  }

  private block(indent: number): YamlMap | YamlSeq {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NotSimple();
    const node = this.isSign('-', this.at) ? this.list(indent) : this.map(indent);
    this.depth -= 1;
    return node;
  }

  /** Whether an indicator (dash or question mark) is followed by a blank. */
  private isSign(sign: string, at: number): boolean {
    if (this.text[at] !== sign) return false;
    const next = this.text[at + 1];
    return next === ' ' || next === '\n' || next === '\r' || next === '\t' || next === undefined;
  }

  private map(indent: number): YamlMap {
    const start = this.at;
    const items: YamlPair[] = [];
    while (this.indent === indent && !this.isSign('-', this.at)) {
      const long = this.isSign('?', this.at);
      const key = long ? this.longKey(indent) : this.key(this.at);
      const colon = long ? this.at : afterBlanks(this.text, key.end);
      const value = writtenValue(this.value(colon + 1, indent, !long));
      if (long && !value) throw new NotSimple();
      items.push({ key, value });
    }
    if (this.indent > indent) throw new NotSimple();
    return { kind: 'map', items: items.slice(), flow: false, start, end: this.end };
  }

  private key(at: number): YamlScalar {
    const { text } = this;
    const quoted = text[at] === '"' || text[at] === "'";
    const raw = take(quoted ? QUOTED_KEY : PLAIN_KEY, text, at);
    if (raw.length > MAX_KEY) throw new NotSimple();
    return quoted ? quotedAt(text, at, 0) : scalar(raw, 'plain', raw, at, at + raw.length);
  }

  /** An explicit key. Its colon starts the next line. */
  private longKey(indent: number): YamlScalar {
    const key = this.value(this.at + 1, indent, true);
    if (key.kind !== 'scalar' || typeof key.value !== 'string' || key.style === 'literal' || key.style === 'folded')
      throw new NotSimple();
    if (key.anchor !== undefined || this.indent !== indent || !this.isSign(':', this.at)) throw new NotSimple();
    return key;
  }

  private list(indent: number): YamlSeq {
    const start = this.at;
    const items: YamlNode[] = [];
    while (this.indent === indent && this.isSign('-', this.at)) items.push(this.value(this.at + 1, indent, false));
    if (this.indent > indent) throw new NotSimple();
    return { kind: 'seq', items: items.slice(), flow: false, start, end: this.end };
  }

  /** The value after a colon or dash. Advances to the next line with content. */
  private value(from: number, indent: number, ofKey: boolean): YamlNode {
    const { text } = this;
    const at = afterBlanks(text, from);
    const char = text[at];
    if (char === '&' || char === '!') return this.named(readProperties(text, at), indent, ofKey);
    if (this.isRest(from)) return this.below(from, indent, ofKey);
    if (!ofKey && this.compact(at)) {
      if (text.slice(from, at).includes('\t')) throw new NotSimple();
      this.indent = at - this.line;
      this.at = at;
      return this.block(this.indent);
    }
    return this.inline(at, indent);
  }

  private named(found: Properties, indent: number, ofKey: boolean): YamlNode {
    // After a dash, the properties would belong to a key.
    if (!ofKey && this.compact(afterBlanks(this.text, found.end))) throw new NotSimple();
    return withProperties(this.value(found.end, indent, ofKey), found);
  }

  /** A value on this line that is not a block list or map. */
  private inline(at: number, indent: number): YamlNode {
    const { text } = this;
    const char = text[at];
    if (char === '"' || char === "'") return this.finish(quotedAt(text, at, indent), indent);
    if (char === '|' || char === '>') return this.blockText(at, indent);
    if (char === '[' || char === '{') return this.finish(flowAt(text, at, indent, this.valueOf), indent);
    return char === '*' ? this.finish(aliasAt(text, at), indent) : this.plain(at, indent);
  }

  private blockText(at: number, indent: number): YamlScalar {
    const { node, next } = blockAt(this.text, at, indent);
    this.line = next;
    this.end = node.end;
    this.next();
    if (this.indent > indent) throw new NotSimple();
    return node;
  }

  /** Whether a list or map starts after a dash. */
  private compact(at: number): boolean {
    return this.isSign('-', at) || this.isSign('?', at) || this.isKey(at);
  }

  private isKey(at: number): boolean {
    const pattern = this.text[at] === '"' || this.text[at] === "'" ? QUOTED_KEY : PLAIN_KEY;
    pattern.lastIndex = at;
    return pattern.test(this.text);
  }

  private isRest(from: number): boolean {
    REST.lastIndex = from;
    return REST.test(this.text);
  }

  /** The value is on the lines below, or missing. */
  private below(from: number, indent: number, ofKey: boolean): YamlNode {
    this.line = lineAfter(this.text, from);
    const end = this.line;
    this.next();
    const { at } = this;
    if (this.indent > indent) {
      if (this.compact(at)) return this.block(this.indent);
      if (/[&!|>]/.test(this.text[at]!)) throw new NotSimple();
      return this.inline(at, indent);
    }
    if (ofKey && this.indent === indent && this.indent >= 0 && this.isSign('-', at)) return this.block(this.indent);
    this.end = end;
    return scalar(null, 'plain', '', from, from);
  }

  /** Only a comment may follow a value on its line. */
  private finish<N extends YamlNode>(node: N, indent: number): N {
    if (!this.isRest(node.end)) throw new NotSimple();
    this.line = lineAfter(this.text, node.end);
    this.end = this.line;
    this.next();
    if (this.indent > indent) throw new NotSimple();
    return node;
  }

  private plain(at: number, indent: number): YamlScalar {
    const { text } = this;
    let { raw, last } = this.plainLine(at);
    let end = at + raw.length;
    let feeds = 0;
    for (let line = lineAfter(text, end); !last && line < text.length; line = lineAfter(text, line)) {
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
      feeds = 0;
    }
    return this.finish(plainScalar(raw, at, end, this.valueOf), indent);
  }

  /** One line of a plain scalar. A comment ends the scalar. */
  private plainLine(at: number): { raw: string; last: boolean } {
    let raw = take(PLAIN, this.text, at);
    const comment = raw.includes('#') ? raw.search(/[ \t]#/) : -1;
    if (comment >= 0) raw = raw.slice(0, comment);
    const tail = raw.charCodeAt(raw.length - 1);
    if (tail === 32 || tail === 9) raw = raw.replace(/(?<![ \t])[ \t]+$/, '');
    if (raw.includes(':') && /:(?:[ \t]|$)/.test(raw)) throw new NotSimple();
    return { raw, last: comment >= 0 };
  }
}
