import type { TextDocument } from '../core/document';

/** A value or member with its source range. */
export interface Node {
  readonly type: 'object' | 'array' | 'property' | 'string' | 'number' | 'boolean' | 'null';
  readonly offset: number;
  length: number;
  /** Decoded value of a scalar. */
  readonly value?: unknown;
  /** Children: members, items, or the name and value of a member. */
  readonly children?: Node[];
  readonly parent: Node | undefined;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z]+/y;
const WORDS: Readonly<Record<string, { type: 'boolean' | 'null'; value: unknown }>> = {
  true: { type: 'boolean', value: true },
  false: { type: 'boolean', value: false },
  null: { type: 'null', value: null },
};
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Parses JSON (RFC 8259) into a tree with source ranges. `comments` also allows comments and trailing commas. */
export class JsonParser {
  private readonly text: string;
  private at = 0;
  private depth = 0;

  constructor(
    private readonly document: TextDocument,
    private readonly maxDepth: number,
    private readonly comments: boolean,
  ) {
    this.text = document.text;
  }

  parse(): Node {
    this.blanks();
    if (this.at >= this.text.length) throw this.document.error('the file has no JSON value', 0);
    const root = this.value(undefined);
    this.blanks();
    if (this.at < this.text.length) throw this.fail('expected the end of the file');
    return root;
  }

  private fail(message: string, at = this.at) {
    return this.document.error(`not valid JSON: ${message}`, at);
  }

  private blanks(): void {
    const { text } = this;
    for (;;) {
      let code = text.charCodeAt(this.at);
      while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt((this.at += 1));
      if (code !== 47 || !this.comments) return;
      const next = text[this.at + 1];
      if (next !== '/' && next !== '*') return;
      const close = next === '/' ? '\n' : '*/';
      const end = text.indexOf(close, this.at + 2);
      if (end < 0 && next === '*') throw this.fail('a comment is not closed');
      this.at = end < 0 ? text.length : end + close.length;
    }
  }

  private value(parent: Node | undefined): Node {
    const { text, at } = this;
    const char = text[at];
    if (char === '"') {
      const value = this.string();
      return { type: 'string', offset: at, length: this.at - at, value, parent };
    }
    if (char === '{' || char === '[') return this.container(char, parent);
    NUMBER.lastIndex = at;
    if (char !== undefined && (char === '-' || (char >= '0' && char <= '9')) && NUMBER.test(text)) {
      this.at = NUMBER.lastIndex;
      if (/[\w.+-]/.test(text[this.at] ?? '')) throw this.fail('a damaged number', at);
      return { type: 'number', offset: at, length: this.at - at, value: Number(text.slice(at, this.at)), parent };
    }
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0] ?? '';
    const known = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    if (!known) throw this.fail('expected a value');
    this.at += word.length;
    return { ...known, offset: at, length: word.length, parent };
  }

  private container(open: '{' | '[', parent: Node | undefined): Node {
    const { text, at } = this;
    this.depth += 1;
    if (this.depth > this.maxDepth) throw this.document.error(`more than ${this.maxDepth} nested levels`, at, 'limit');
    const children: Node[] = [];
    const node: Node = { type: open === '{' ? 'object' : 'array', offset: at, length: 0, children, parent };
    const close = open === '{' ? '}' : ']';
    this.at += 1;
    this.blanks();
    while (text[this.at] !== close) {
      children.push(open === '{' ? this.property(node) : this.value(node));
      this.blanks();
      if (text[this.at] === ',') {
        this.at += 1;
        this.blanks();
        if (text[this.at] === close && !this.comments) throw this.fail('a trailing comma');
      } else if (text[this.at] !== close) throw this.fail(`expected a comma or ${close}`);
    }
    this.at += 1;
    this.depth -= 1;
    node.length = this.at - at;
    return node;
  }

  private property(parent: Node): Node {
    const { text, at } = this;
    if (text[at] !== '"') throw this.fail('expected a name in quotes');
    const children: Node[] = [];
    const node: Node = { type: 'property', offset: at, length: 0, children, parent };
    const value = this.string();
    children.push({ type: 'string', offset: at, length: this.at - at, value, parent: node });
    this.blanks();
    if (text[this.at] !== ':') throw this.fail('expected a colon');
    this.at += 1;
    this.blanks();
    children.push(this.value(node));
    node.length = this.at - at;
    return node;
  }

  private string(): string {
    const { text } = this;
    const start = this.at + 1;
    let escaped = false;
    for (let at = start; ; at++) {
      const code = text.charCodeAt(at);
      if (code === 34) {
        this.at = at + 1;
        const raw = text.slice(start, at);
        return escaped ? this.unescape(raw, start) : raw;
      }
      if (code === 92) {
        escaped = true;
        at += 1;
      } else if (!(code >= 32))
        throw this.fail(
          at < text.length ? 'a control character in a text' : 'a text without an end',
          at < text.length ? at : start - 1,
        );
    }
  }

  private unescape(raw: string, start: number): string {
    return raw.replace(
      /\\(?:u([\da-fA-F]{4})|([^]))/g,
      (_, hex: string | undefined, char: string | undefined, at: number) => {
        const text = hex === undefined ? ESCAPES[char as string] : String.fromCharCode(parseInt(hex, 16));
        if (text === undefined) throw this.fail('an unknown escape', start + at);
        return text;
      },
    );
  }
}
