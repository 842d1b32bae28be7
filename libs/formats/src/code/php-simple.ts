import { unescapeDouble, unescapeSingle } from './php-text';

/** The parts of php-parser's nodes that are used here. */
export interface PhpNode {
  kind: string;
  loc?: { start: { offset: number }; end: { offset: number } } | null;
  [part: string]: unknown;
}

/** Thrown where the text holds something that is left to the whole parser. */
class NotSimple extends Error {}

const MAX_DEPTH = 200;
const BLANKS = /(?:\s+|\/\/(?:[^\r\n?]|\?(?!>))*|#(?!\[)(?:[^\r\n?]|\?(?!>))*|\/\*[^]*?\*\/)*/y;
const NAME = /[A-Za-z_\x80-\u{10FFFF}][\w\x80-\u{10FFFF}]*/uy;
const NUMBER = /(?:0|[1-9]\d*)(?![\w.])/y;
const SINGLE = /'(?:[^'\\]|\\[^])*'/y;
const DOUBLE = /"(?:[^"\\]|\\[^])*"/y;
const HEREDOC = /<<<[ \t]*(?:'([A-Za-z_]\w*)'|"([A-Za-z_]\w*)"|([A-Za-z_]\w*))\n/y;
const LITERAL = /(?:'[^'\\]*'|"[^"\\$]*")/.source;
const END = `(?:die|exit)\\s*(?:\\(\\s*(?:${LITERAL}|\\d+)?\\s*\\)\\s*)?;`;
const DEFINED = `defined\\s*\\(\\s*${LITERAL}\\s*\\)\\s*`;
/** Statements without strings, as many files begin. */
const PREAMBLE = new RegExp(
  [
    String.raw`declare\s*\(\s*strict_types\s*=\s*[01]\s*\)\s*;`,
    String.raw`(?:namespace|use)\s+[A-Za-z_]\w*(?:\\[A-Za-z_]\w*)*\s*;`,
    `if\\s*\\(\\s*!\\s*${DEFINED}\\)\\s*(?:${END}|\\{\\s*${END}\\s*\\})`,
    `${DEFINED}(?:\\bor\\b|\\|\\|)\\s*${END}`,
  ].join('|'),
  'iy',
);

/**
 * Reads what nearly all translation files consist of, lists of strings that are returned or assigned, and definitions, several times
 * faster than the whole language. Gives undefined for a file with anything else in it; both give the same nodes.
 */
export function parseSimplePhp(text: string): PhpNode | undefined {
  try {
    return new SimpleParser(text).program();
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
}

class SimpleParser {
  private at = 0;
  private depth = 0;
  /** Where the last node ended. */
  private end = 0;

  constructor(private readonly text: string) {}

  program(): PhpNode {
    const open = /^<\?php(?=\s)/.exec(this.text);
    if (!open) throw new NotSimple();
    this.at = open[0].length;
    const children: PhpNode[] = [];
    for (;;) {
      this.blanks();
      if (this.at >= this.text.length) break;
      if (this.text.startsWith('?>', this.at)) {
        if (this.text.slice(this.at + 2).trim() !== '') throw new NotSimple();
        break;
      }
      PREAMBLE.lastIndex = this.at;
      if (PREAMBLE.test(this.text)) this.at = PREAMBLE.lastIndex;
      else children.push(this.statement());
    }
    return { kind: 'program', children };
  }

  private statement(): PhpNode {
    const start = this.at;
    if (this.text[start] === '$') {
      const left = this.variable();
      this.expect('=');
      const right = this.expression();
      const expression = { kind: 'assign', left, right };
      this.expect(';');
      return this.node('expressionstatement', start, { expression });
    }
    const word = this.take(NAME);
    if (word === 'return') {
      const expr = this.expression();
      this.expect(';');
      return this.node('return', start, { expr });
    }
    if (word !== 'define') throw new NotSimple();
    this.expect('(');
    const key = this.expression();
    this.expect(',');
    const value = this.expression();
    this.expect(')');
    this.expect(';');
    const expression = { kind: 'call', what: { kind: 'name', name: 'define' }, arguments: [key, value] };
    return this.node('expressionstatement', start, { expression });
  }

  private variable(): PhpNode {
    this.at += 1;
    let node: PhpNode = { kind: 'variable', name: this.take(NAME) };
    for (this.blanks(); this.text[this.at] === '['; this.blanks()) {
      this.at += 1;
      this.blanks();
      const offset = this.text[this.at] === ']' ? false : this.expression();
      this.expect(']');
      node = { kind: 'offsetlookup', what: node, offset };
    }
    return node;
  }

  private expression(): PhpNode {
    this.blanks();
    const start = this.at;
    let node = this.value();
    for (this.blanks(); this.text[this.at] === '.'; this.blanks()) {
      const before = this.at;
      this.at += 1;
      this.blanks();
      const right = this.value();
      if (right.kind === 'array' || before === start) throw new NotSimple();
      node = this.node('bin', start, { type: '.', left: node, right });
    }
    return node;
  }

  private value(): PhpNode {
    const { text, at: start } = this;
    const char = text[start];
    if (char === "'") {
      const value = unescapeSingle(this.take(SINGLE).slice(1, -1));
      return this.node('string', start, { value });
    }
    if (char === '"') {
      const raw = this.take(DOUBLE);
      const simple = !/(?:^|[^\\])(?:\\\\)*(?:\$[A-Za-z_{\x80-\u{10FFFF}]|\{\$)/u.test(raw.slice(1));
      if (!simple) return this.node('encapsed', start, { type: 'string' });
      return this.node('string', start, { value: unescapeDouble(raw.slice(1, -1)) });
    }
    if (char === '[') {
      this.at += 1;
      return this.list(start, ']');
    }
    if (char === '<') return this.heredoc(start);
    if (char !== undefined && char >= '0' && char <= '9') {
      const value = this.take(NUMBER);
      return this.node('number', start, { value });
    }
    const word = this.take(NAME).toLowerCase();
    if (word === 'array') {
      this.expect('(');
      return this.list(start, ')');
    }
    if (word === 'true' || word === 'false' || word === 'null') return this.node('constant', start, {});
    throw new NotSimple();
  }

  /** A text between two marks, in which nothing has to be worked out. */
  private heredoc(start: number): PhpNode {
    HEREDOC.lastIndex = start;
    const head = HEREDOC.exec(this.text);
    if (!head) throw new NotSimple();
    const label = (head[1] ?? head[2] ?? head[3])!;
    const from = HEREDOC.lastIndex;
    const close = new RegExp(`^([ \\t]*)${label}(?!\\w)`, 'gm');
    close.lastIndex = from;
    const tail = close.exec(this.text);
    if (!tail || tail[1] !== '') throw new NotSimple();
    const value = this.text.slice(from, Math.max(from, tail.index - 1));
    this.at = tail.index + label.length;
    if (value.includes('\r') || (head[1] === undefined && /[\\$]/.test(value))) throw new NotSimple();
    if (head[1] !== undefined) return this.node('nowdoc', start, { value });
    const part = { kind: 'encapsedpart', expression: { kind: 'string', value } };
    return this.node('encapsed', start, { type: 'heredoc', value: value === '' ? [] : [part] });
  }

  private list(start: number, close: string): PhpNode {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NotSimple();
    const items: PhpNode[] = [];
    for (;;) {
      this.blanks();
      if (this.text[this.at] === close) break;
      const from = this.at;
      let key: PhpNode | null = null;
      let value = this.expression();
      let end = this.end;
      if (this.text.startsWith('=>', this.at)) {
        this.at += 2;
        key = value;
        value = this.expression();
        end = this.end;
      }
      items.push({ kind: 'entry', key, value, loc: { start: { offset: from }, end: { offset: end } } });
      this.blanks();
      if (this.text[this.at] === ',') this.at += 1;
      else if (this.text[this.at] !== close) throw new NotSimple();
    }
    this.at += 1;
    this.depth -= 1;
    return this.node('array', start, { items });
  }

  private node(kind: string, start: number, parts: Readonly<Record<string, unknown>>): PhpNode {
    this.end = this.at;
    return { kind, loc: { start: { offset: start }, end: { offset: this.at } }, ...parts };
  }

  private blanks(): void {
    const code = this.text.charCodeAt(this.at);
    if (code > 35 && code !== 47) return;
    BLANKS.lastIndex = this.at;
    BLANKS.test(this.text);
    this.at = BLANKS.lastIndex;
  }

  private expect(sign: string): void {
    this.blanks();
    if (!this.text.startsWith(sign, this.at)) throw new NotSimple();
    this.at += sign.length;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) throw new NotSimple();
    this.at = pattern.lastIndex;
    return match[0];
  }
}
