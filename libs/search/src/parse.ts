import type { Query } from './ast';
import { SearchError } from './errors';
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_LENGTH, DEFAULT_MAX_TERMS, type ParseOptions } from './options';
import { buildTerm } from './terms';
import { type Token, Tokenizer } from './tokens';

class Parser {
  private readonly tokens: Token[] = [];
  private index = 0;
  private depth = 0;
  private readonly maxDepth: number;

  constructor(
    private readonly query: string,
    private readonly options: ParseOptions,
  ) {
    this.maxDepth = options.maxDepth ?? DEFAULT_MAX_DEPTH;
    const maxTerms = options.maxTerms ?? DEFAULT_MAX_TERMS;
    let terms = 0;
    for (const token of new Tokenizer(query).tokens()) {
      if (token.type === 'term' && ++terms > maxTerms) {
        throw new SearchError('too_many_terms', token.position, token.text, `more than ${maxTerms} search terms`);
      }
      this.tokens.push(token);
    }
  }

  parse(): Query {
    if (this.tokens.length === 0) return { type: 'all' };
    const query = this.or();
    const token = this.tokens[this.index];
    if (token)
      this.fail(token, token.type === ')' ? 'a bracket is closed that was not opened' : `unexpected "${token.text}"`);
    return query;
  }

  private fail(token: Token | undefined, message: string): never {
    const position = token?.position ?? this.query.length;
    throw new SearchError('syntax', position, token?.text ?? '', `${message} (position ${position})`);
  }

  private or(): Query {
    const children = [this.and()];
    while (this.tokens[this.index]?.type === 'or') {
      this.index++;
      children.push(this.and());
    }
    return children.length === 1 ? children[0]! : { type: 'or', children };
  }

  private and(): Query {
    const children = [this.not()];
    for (;;) {
      const next = this.tokens[this.index]?.type;
      if (next === 'and') this.index++;
      else if (next === undefined || next === 'or' || next === ')') break;
      children.push(this.not());
    }
    return children.length === 1 ? children[0]! : { type: 'and', children };
  }

  private not(): Query {
    const token = this.tokens[this.index];
    if (!token) this.fail(undefined, 'the query ends where a term is expected');
    if (token.type === 'term') {
      this.index++;
      return buildTerm(token, this.options);
    }
    if (token.type !== 'not' && token.type !== '(') this.fail(token, `"${token.text}" where a term is expected`);
    if (++this.depth > this.maxDepth) {
      throw new SearchError('too_deep', token.position, token.text, `nested deeper than ${this.maxDepth} levels`);
    }
    this.index++;
    let result: Query;
    if (token.type === 'not') result = { type: 'not', child: this.not() };
    else {
      result = this.or();
      if (this.tokens[this.index]?.type !== ')') this.fail(token, 'a bracket is not closed');
      this.index++;
    }
    this.depth--;
    return result;
  }
}

/**
 * Parses a search query. Grammar by increasing precedence: `OR`, `AND` (also implicit), `NOT`, parentheses, terms
 * `field:value` or a bare value. A blank query matches everything.
 *
 * @throws {SearchError}
 */
export function parseQuery(query: string, options: ParseOptions = {}): Query {
  const maxLength = options.maxLength ?? DEFAULT_MAX_LENGTH;
  if (query.length > maxLength) {
    throw new SearchError('too_long', maxLength, query.slice(0, 80), `longer than ${maxLength} characters`);
  }
  return new Parser(query, options).parse();
}
