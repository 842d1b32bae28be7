import { NotSimple } from '../core/simple';

/** The parts of php-parser's nodes that are used here. */
export interface PhpNode {
  kind: string;
  loc?: { start: { offset: number }; end: { offset: number } } | null;
  /** Our nodes store offsets as two numbers, which take a fraction of the memory. */
  start?: number;
  end?: number;
  [part: string]: unknown;
}

const BLANKS = /(?:\s+|\/\/(?:[^\r\n?]|\?(?!>))*|#(?!\[)(?:[^\r\n?]|\?(?!>))*|\/\*[^]*?\*\/)*/y;
const WORD = /[A-Za-z_]\w*(?![\w\\\x80-\u{10FFFF}])/uy;
/** Tokens that are skipped as a whole. */
const TOKEN =
  /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|<<<[ \t]*['"]?([A-Za-z_]\w*)['"]?\r?\n[^]*?^[ \t]*\1(?!\w)|\/\/[^\r\n]*|#(?!\[)[^\r\n]*|\/\*[^]*?\*\/|[^'"<\/#(){}[\];?]+|[^]/my;

/** Cursor in a PHP file. */
export class PhpScanner {
  protected at = 0;

  constructor(protected readonly text: string) {}

  /** Advances after the next opening tag; false if there is none. Text outside of tags is not code. */
  protected openCode(): boolean {
    const { text } = this;
    const open = text.indexOf('<?', this.at);
    if (open < 0) return false;
    if (!/^<\?php\s/i.test(text.slice(open, open + 6))) throw new NotSimple();
    this.at = open + 5;
    return true;
  }

  protected blanks(): void {
    const code = this.text.charCodeAt(this.at);
    if (code > 35 && code !== 47) return;
    BLANKS.lastIndex = this.at;
    BLANKS.test(this.text);
    this.at = BLANKS.lastIndex;
  }

  /** The word at the cursor; '' if there is none. */
  protected peekWord(): string {
    WORD.lastIndex = this.at;
    return WORD.exec(this.text)?.[0] ?? '';
  }

  protected expect(sign: string): void {
    if (!this.skipIf(sign)) throw new NotSimple();
  }

  protected skipIf(sign: string): boolean {
    this.blanks();
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  protected take(pattern: RegExp): string {
    const found = this.takeIf(pattern);
    if (found === undefined) throw new NotSimple();
    return found;
  }

  protected takeIf(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match?.[0];
  }

  /** Skips the statement that starts with this word, including bracketed code. */
  protected skipStatement(word: string): string {
    const start = this.at;
    for (;;) {
      this.skipPart();
      const end = this.at;
      this.blanks();
      const next = this.peekWord().toLowerCase();
      const goesOn = word === 'try' ? next === 'catch' || next === 'finally' : word === 'do' && next === 'while';
      if (goesOn && this.text[end - 1] === '}') continue;
      this.at = end;
      return this.text.slice(start, end);
    }
  }

  /** Skips to a semicolon or the end of braces. */
  private skipPart(): void {
    for (let depth = 0; ;) {
      const token = this.take(TOKEN);
      if (token === '?' && this.text[this.at] === '>') throw new NotSimple();
      if (token === '(' || token === '[' || token === '{') depth += 1;
      else if (token === ')' || token === ']' || token === '}') depth -= 1;
      if (depth < 0) throw new NotSimple();
      if (depth === 0 && (token === ';' || token === '}')) return;
    }
  }
}
