import { SearchError } from './errors';

/** A value as written: its text without quotes, and how it was written. */
export interface Value {
  kind: 'word' | 'quoted' | 'regex' | 'range';
  text: string;
}

export type Operator = ':' | ':=' | ':<' | ':<=' | ':>' | ':>=';

export interface TermToken {
  type: 'term';
  position: number;
  text: string;
  /** Lower-cased; undefined for a bare value. */
  field?: string;
  operator: Operator;
  value: Value;
}

export type Token = { type: '(' | ')' | 'and' | 'or' | 'not'; position: number; text: string } | TermToken;

/** Words that may stand before a colon without being a field: addresses. */
const SCHEMES = new Set(['http', 'https', 'ftp', 'ftps', 'mailto']);

const isSpace = (char: string): boolean => /\s/.test(char);

/** Splits a query into brackets, keywords and terms. */
export class Tokenizer {
  private position = 0;

  constructor(private readonly query: string) {}

  *tokens(): Generator<Token> {
    for (;;) {
      while (this.position < this.query.length && isSpace(this.query[this.position]!)) this.position++;
      if (this.position >= this.query.length) return;
      const position = this.position;
      const char = this.query[position]!;
      if (char === '(' || char === ')') {
        this.position++;
        yield { type: char, position, text: char };
      } else yield this.keywordOrTerm(position);
    }
  }

  private keywordOrTerm(position: number): Token {
    const head = /^([A-Za-z_]+)(:(?:[<>]=?|=)?)/.exec(this.query.slice(position, position + 64));
    if (head && !SCHEMES.has(head[1]!.toLowerCase())) {
      this.position += head[0].length;
      // "state: translated" is read like "state:translated".
      const rest = this.query.slice(this.position);
      if (rest.trim() !== '') this.position += rest.length - rest.trimStart().length;
      const value = this.value(position, true);
      const text = this.query.slice(position, this.position);
      return { type: 'term', position, text, field: head[1]!.toLowerCase(), operator: head[2] as Operator, value };
    }
    const value = this.value(position, false);
    const text = this.query.slice(position, this.position);
    const keyword = value.kind === 'word' ? value.text.toLowerCase() : '';
    if (keyword === 'and' || keyword === 'or' || keyword === 'not') return { type: keyword, position, text };
    return { type: 'term', position, text, operator: ':', value };
  }

  private value(termStart: number, hasField: boolean): Value {
    const rest = this.query.slice(this.position, this.position + 2);
    if (/^r["']/.test(rest)) {
      this.position++;
      return { kind: 'regex', text: this.quoted(termStart, true) };
    }
    if (rest[0] === '"' || rest[0] === "'") return { kind: 'quoted', text: this.quoted(termStart, false) };
    if (hasField && rest[0] === '[') {
      const end = this.query.indexOf(']', this.position);
      if (end >= 0 && /\sto\s/i.test(this.query.slice(this.position, end))) {
        const text = this.query.slice(this.position + 1, end);
        this.position = end + 1;
        return { kind: 'range', text };
      }
    }
    const start = this.position;
    while (this.position < this.query.length) {
      const char = this.query[this.position]!;
      if (char === '(' || char === ')' || isSpace(char)) break;
      this.position++;
    }
    if (this.position === start) {
      const term = this.query.slice(termStart, this.position);
      throw new SearchError('syntax', termStart, term, `"${term}" has no value; write "" for an empty value`);
    }
    return { kind: 'word', text: this.query.slice(start, this.position) };
  }

  /** Reads a quoted text; in a regular expression a backslash stays, except before the quote. */
  private quoted(termStart: number, regex: boolean): string {
    const opened = this.position;
    const quote = this.query[opened]!;
    let text = '';
    for (let index = opened + 1; index < this.query.length; index++) {
      const char = this.query[index]!;
      if (char === quote) {
        this.position = index + 1;
        return text;
      }
      const next = this.query[index + 1];
      if (char === '\\' && next !== undefined && (next === quote || next === '\\' || regex)) {
        text += regex && next !== quote ? char + next : next;
        index++;
      } else text += char;
    }
    const term = this.query.slice(termStart, termStart + 80);
    throw new SearchError('syntax', opened, term, `the quote opened at position ${opened} is not closed`);
  }
}
