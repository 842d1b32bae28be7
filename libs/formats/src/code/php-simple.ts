import { ifSimple, NotSimple } from '../core/simple';
import { PhpLiteralScanner } from './php-literals';
import type { PhpNode } from './php-scan';

const MAX_DEPTH = 200;
const INTEGER = /(?:0|[1-9]\d*)(?![\w.])/y;
const DECIMAL = /\d+\.\d+(?![\w.])/y;
const VARIABLE = /\$[A-Za-z_\x80-\u{10FFFF}][\w\x80-\u{10FFFF}]*/uy;
const NAME = /\\?[A-Za-z_\x80-\u{10FFFF}][\w\x80-\u{10FFFF}]*(?:\\[A-Za-z_\x80-\u{10FFFF}][\w\x80-\u{10FFFF}]*)*/uy;
const MEMBER = /[A-Za-z_\x80-\u{10FFFF}][\w\x80-\u{10FFFF}]*|\$[A-Za-z_\x80-\u{10FFFF}][\w\x80-\u{10FFFF}]*/uy;
const OPERATOR =
  /===|!==|<=>|==|!=|<>|<=|>=|&&|\|\||\?\?(?!=)|\*\*(?!=)|<<(?![<=])|>>(?!=)|[+*/%&|^-](?!=)|[<>]|(?:and|or|xor)(?!\w)/iy;
const ASSIGNMENT = /(?:\?\?|\*\*|<<|>>|[+*/%&|^.-])?=(?![=>])/y;
const PREFIX = /!|@|~|-(?![=-])|\+(?![=+])|\((?:int|float|string|bool|array|object)\)/iy;
/** Statements without strings at the start of many files. */
const PREAMBLE =
  /declare\s*\(\s*strict_types\s*=\s*[01]\s*\)\s*;|(?:namespace|use)\s+[A-Za-z_]\w*(?:\\[A-Za-z_]\w*)*\s*;/iy;
/** Keywords that are not constants or functions. */
const RESERVED =
  /^(?:abstract|and|as|break|callable|case|catch|class|clone|const|continue|declare|default|do|echo|else|elseif|enddeclare|endfor|endforeach|endif|endswitch|endwhile|enum|eval|extends|final|finally|fn|for|foreach|function|global|goto|if|implements|include|include_once|instanceof|insteadof|interface|list|match|namespace|new|or|print|private|protected|public|readonly|require|require_once|return|static|switch|throw|trait|try|unset|use|var|while|xor|yield|__halt_compiler)$/i;
/** Statements without strings of the file. The full parser validates them. */
const OPAQUE =
  /^(?:abstract|class|do|enum|final|for|foreach|function|global|interface|static|switch|trait|try|unset|while)$/i;
const OUTPUT = /^(?:echo|print|include|include_once|require|require_once)$/i;
/**
 * Fast scanner for the subset of PHP that translation files use: returned and assigned lists, definitions, calls, conditions,
 * variables and closures. Named functions, classes and loops are skipped and validated by `isValid` as one excerpt. Returns
 * undefined outside the subset. Both parsers give the same strings.
 */
export function parseSimplePhp(text: string, isValid: (code: string) => boolean): PhpNode | undefined {
  return ifSimple(() => {
    const parser = new SimpleParser(text);
    const program = parser.program();
    return parser.opaque.length === 0 || isValid(parser.opaque.join('\n')) ? program : undefined;
  });
}

class SimpleParser extends PhpLiteralScanner {
  /** Skipped code. */
  readonly opaque: string[] = [];
  private depth = 0;
  program(): PhpNode {
    const children: PhpNode[] = [];
    while (this.openCode()) {
      for (this.blanks(); this.at < this.text.length && !this.text.startsWith('?>', this.at); this.blanks())
        if (this.takeIf(PREAMBLE) === undefined) children.push(this.statement());
    }
    return { kind: 'program', children };
  }

  private statement(): PhpNode {
    this.blanks();
    const start = this.at;
    const word = this.peekWord();
    if (this.text.startsWith('#[', start)) return this.opaqueStatement(start, '');
    if (word === '') return this.expressionStatement(start);
    if (/^(?:return|throw)$/i.test(word)) {
      this.at += word.length;
      this.blanks();
      const kind = word.toLowerCase();
      const expr = kind === 'return' && this.text[this.at] === ';' ? null : this.expression();
      this.expect(';');
      return this.node(kind, start, { expr });
    }
    if (/^if$/i.test(word)) return this.condition(start);
    if (/^const$/i.test(word) && this.depth === 0) return this.constants(start);
    if (OUTPUT.test(word)) {
      this.at += word.length;
      this.expressions(';');
      return this.node('output', start, {});
    }
    return OPAQUE.test(word) ? this.opaqueStatement(start, word) : this.expressionStatement(start);
  }

  private opaqueStatement(start: number, word: string): PhpNode {
    this.opaque.push(this.skipStatement(word.toLowerCase()));
    return this.node('opaque', start, {});
  }

  private expressionStatement(start: number): PhpNode {
    const expression = this.expression();
    this.expect(';');
    return this.node('expressionstatement', start, { expression });
  }

  /** `if` with braces or single statements. Its content has no strings of the file. */
  private condition(start: number): PhpNode {
    this.at += 2;
    for (;;) {
      this.expect('(');
      this.expression();
      this.expect(')');
      this.body();
      this.blanks();
      const word = this.peekWord().toLowerCase();
      if (word !== 'else' && word !== 'elseif') break;
      this.at += word.length;
      if (word === 'elseif') continue;
      this.blanks();
      if (this.peekWord().toLowerCase() === 'if') {
        this.at += 2;
        continue;
      }
      this.body();
      break;
    }
    return this.node('if', start, {});
  }

  private body(): void {
    this.blanks();
    if (this.text[this.at] === '{') {
      this.block();
      return;
    }
    this.deeper();
    this.statement();
    this.depth -= 1;
  }

  private block(): void {
    this.deeper();
    this.expect('{');
    for (this.blanks(); this.text[this.at] !== '}'; this.blanks()) this.statement();
    this.at += 1;
    this.depth -= 1;
  }

  private constants(start: number): PhpNode {
    this.at += 'const'.length;
    do {
      this.name();
      this.expect('=');
      this.expression();
    } while (this.skipIf(','));
    this.expect(';');
    return this.node('constantstatement', start, {});
  }

  private deeper(): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NotSimple();
  }

  /** Concatenated literals are kept apart. Results of other operators are not texts. */
  private expression(): PhpNode {
    this.blanks();
    this.deeper();
    const start = this.at;
    let node = this.operand();
    for (this.blanks(); ; this.blanks()) {
      const { text, at } = this;
      const char = text[at];
      if (char === ',' || char === ';' || char === ')' || char === ']') break;
      if (char === '.' && text[at + 1] !== '=') {
        this.at += 1;
        this.blanks();
        const right = this.operand();
        if (right.kind === 'array' || node.kind === 'array') throw new NotSimple();
        const parts = { type: '.', left: node, right };
        node = node.kind === 'other' ? this.other(start, this.end) : this.node('bin', start, parts, this.end);
      } else if (this.takeIf(ASSIGNMENT) !== undefined) {
        if (node.kind !== 'variable' && node.kind !== 'offsetlookup' && node.kind !== 'member') throw new NotSimple();
        const right = this.expression();
        node = this.node('assign', start, { left: node, right }, this.end);
        break;
      } else if (char === '?' && text[at + 1] !== '>' && text[at + 1] !== '?') {
        this.at += 1;
        this.blanks();
        if (text[this.at] !== ':') this.expression();
        this.expect(':');
        this.expression();
        node = this.other(start, this.end);
        break;
      } else if (this.takeIf(OPERATOR) !== undefined) {
        this.blanks();
        this.operand();
        node = this.other(start, this.end);
      } else break;
    }
    this.depth -= 1;
    return node;
  }

  private operand(): PhpNode {
    const start = this.at;
    if (this.takeIf(PREFIX) !== undefined) {
      this.blanks();
      this.deeper();
      this.operand();
      this.depth -= 1;
      return this.other(start, this.end);
    }
    let node = this.value(start);
    if (node.kind === 'closed') return node;
    for (this.blanks(); ; this.blanks()) {
      const { text, at } = this;
      const char = text[at];
      if (char === '[') {
        this.at += 1;
        this.blanks();
        const known = node.kind === 'variable' || node.kind === 'offsetlookup';
        const next = text[this.at] === ']' && (known || node.kind === 'member');
        const offset = next ? false : this.expression();
        this.expect(']');
        node = this.node(known ? 'offsetlookup' : 'other', start, { what: node, offset });
      } else if (text.startsWith('->', at) || text.startsWith('::', at) || text.startsWith('?->', at)) {
        this.at += char === '?' ? 3 : 2;
        this.take(MEMBER);
        node = this.node('member', start, {});
      } else if (char === '(' && node.kind !== 'string' && node.kind !== 'number') {
        this.at += 1;
        const args = this.expressions(')');
        node = this.node('call', start, { what: node, arguments: args });
      } else if (text.startsWith('++', at) || text.startsWith('--', at)) {
        this.at += 2;
        return this.other(start);
      } else return node;
    }
  }

  private value(start: number): PhpNode {
    const { text } = this;
    const char = text[start];
    if (char === "'") return this.singleQuoted(start);
    if (char === '"') return this.doubleQuoted(start);
    if (char === '[') {
      this.at += 1;
      return this.list(start, ']');
    }
    if (char === '<') return this.heredoc(start);
    if (char === '$') {
      const name = this.take(VARIABLE).slice(1);
      return this.node('variable', start, { name });
    }
    if (char === '(') return this.parenthesized(start);
    if (char !== undefined && char >= '0' && char <= '9') {
      const value = this.takeIf(INTEGER);
      return value === undefined && this.take(DECIMAL) ? this.other(start) : this.node('number', start, { value });
    }
    return this.named(start);
  }

  private named(start: number): PhpNode {
    const name = this.take(NAME);
    if (/^array$/i.test(name)) {
      this.expect('(');
      return this.list(start, ')');
    }
    if (/^new$/i.test(name)) {
      this.name();
      let end = this.at;
      if (this.skipIf('(')) {
        this.expressions(')');
        end = this.at;
      }
      return this.other(start, end);
    }
    if (/^(?:fn|function|static)$/i.test(name)) return this.closure(start, name);
    if (/^match$/i.test(name)) return this.match(start);
    if (RESERVED.test(name)) throw new NotSimple();
    return this.node('name', start, { name });
  }

  private name(): void {
    this.blanks();
    if (RESERVED.test(this.take(NAME))) throw new NotSimple();
  }

  /** A closure. Its content has no strings of the file. */
  private closure(start: number, first: string): PhpNode {
    this.blanks();
    const word = (/^static$/i.test(first) ? this.take(NAME) : first).toLowerCase();
    if (word !== 'fn' && word !== 'function') throw new NotSimple();
    this.skipIf('&');
    this.expect('(');
    this.parameters();
    this.blanks();
    if (word === 'function' && this.peekWord().toLowerCase() === 'use') {
      this.at += 'use'.length;
      this.expect('(');
      do {
        this.skipIf('&');
        this.blanks();
        this.take(VARIABLE);
      } while (this.skipIf(','));
      this.expect(')');
    }
    if (this.skipIf(':')) this.type();
    if (word === 'function') this.block();
    else {
      this.expect('=>');
      this.expression();
    }
    return this.node('closed', start, {}, word === 'function' ? this.at : this.end);
  }

  private parameters(): void {
    for (;;) {
      this.blanks();
      if (this.text[this.at] === ')') break;
      if (!/[$&.]/.test(this.text[this.at] ?? '')) this.type();
      this.skipIf('&');
      const rest = this.skipIf('...');
      this.blanks();
      this.take(VARIABLE);
      if (!rest && this.skipIf('=')) this.expression();
      if (!this.skipIf(',')) break;
    }
    this.expect(')');
  }

  private type(): void {
    if (this.skipIf('?')) this.name();
    else
      do this.name();
      while (this.skipIf('|'));
  }

  private match(start: number): PhpNode {
    this.expect('(');
    this.expression();
    this.expect(')');
    this.expect('{');
    do {
      this.blanks();
      if (this.text[this.at] === '}') break;
      if (this.peekWord().toLowerCase() === 'default') this.at += 'default'.length;
      else
        do this.expression();
        while (this.skipIf(','));
      this.expect('=>');
      this.expression();
    } while (this.skipIf(','));
    this.expect('}');
    return this.node('closed', start, {});
  }

  private parenthesized(start: number): PhpNode {
    this.at += 1;
    const inner = this.expression();
    this.expect(')');
    if (/^(?:string|bin|nowdoc|encapsed|array|number|assign)$/.test(inner.kind)) throw new NotSimple();
    return this.other(start);
  }

  /** A comma-separated list up to its closing delimiter. */
  private expressions(close: ')' | ';'): PhpNode[] {
    const found: PhpNode[] = [];
    for (;;) {
      this.blanks();
      if (close === ')' && this.text[this.at] === close) break;
      if (close === ')' && this.text.startsWith('...', this.at)) this.at += 3;
      found.push(this.expression());
      if (!this.skipIf(',')) break;
    }
    this.expect(close);
    return found;
  }

  private list(start: number, close: string): PhpNode {
    this.deeper();
    const items: PhpNode[] = [];
    for (;;) {
      this.blanks();
      if (this.text[this.at] === close) break;
      items.push(this.item(this.at));
      this.blanks();
      if (this.text[this.at] === ',') this.at += 1;
      else if (this.text[this.at] !== close) throw new NotSimple();
    }
    this.at += 1;
    this.depth -= 1;
    return this.node('array', start, { items });
  }

  private item(from: number): PhpNode {
    if (this.text.startsWith('...', from)) {
      this.at += 3;
      const value = this.expression();
      return { kind: 'entry', key: null, value, start: from, end: this.end };
    }
    let key: PhpNode | null = null;
    let value = this.expression();
    let end = this.end;
    if (this.text.startsWith('=>', this.at)) {
      if (value.kind === 'other' && /^\d/.test(this.text.slice(from, from + 1))) throw new NotSimple();
      this.at += 2;
      key = value;
      value = this.expression();
      end = this.end;
    }
    return { kind: 'entry', key, value, start: from, end };
  }
}
