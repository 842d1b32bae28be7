import { NotSimple } from '../core/simple';
import { PhpScanner, type PhpNode } from './php-scan';
import { unescapeDouble, unescapeSingle } from './php-text';

const SINGLE = /'(?:[^'\\]|\\[^])*'/y;
const DOUBLE = /"(?:[^"\\]|\\[^])*"/y;
const HEREDOC = /<<<[ \t]*(?:'([A-Za-z_]\w*)'|"([A-Za-z_]\w*)"|([A-Za-z_]\w*))\n/y;
/** A variable in braces. */
const IN_BRACES = /\{\$[A-Za-z_]\w*(?:->[A-Za-z_]\w*|\[(?:'[^'\\]*'|\$?[A-Za-z_]\w*|\d+)\])*\}/g;
/** A variable in a double-quoted text. */
const EMBEDDED = /(?:^|[^\\])(?:\\\\)*(?:\$[A-Za-z_{\x80-\u{10FFFF}]|\{\$)/u;

/** Scanner of string literals. */
export class PhpLiteralScanner extends PhpScanner {
  /** End offset of the last node. */
  protected end = 0;

  protected singleQuoted(start: number): PhpNode {
    return this.node('string', start, { value: unescapeSingle(this.take(SINGLE).slice(1, -1)) });
  }

  protected doubleQuoted(start: number): PhpNode {
    const raw = this.take(DOUBLE);
    if (!EMBEDDED.test(raw.slice(1))) return this.node('string', start, { value: unescapeDouble(raw.slice(1, -1)) });
    // Braces may contain any expression, including quotes that do not end the text.
    if (/\{\$|\$\{|\$\w+\[(?![\w$-]+\])/.test(raw.replace(IN_BRACES, ''))) throw new NotSimple();
    return this.node('encapsed', start, { type: 'string' });
  }

  /** A text between two delimiters without interpolation. */
  protected heredoc(start: number): PhpNode {
    HEREDOC.lastIndex = start;
    const head = HEREDOC.exec(this.text);
    if (!head) throw new NotSimple();
    const label = (head[1] ?? head[2] ?? head[3])!;
    const from = HEREDOC.lastIndex;
    const close = this.heredocEnd(label, from);
    if (close === undefined) throw new NotSimple();
    const value = this.text.slice(from, Math.max(from, close - 1));
    this.at = close + label.length;
    if (value.includes('\r')) throw new NotSimple();
    if (head[1] !== undefined) return this.node('nowdoc', start, { value });
    // A text with a variable is not a string of the file.
    if (/\$[A-Za-z_]/.test(value) && !/\$\{|\{\$|\$\w+\[/.test(value) && !value.includes('\\'))
      return this.node('encapsed', start, { type: 'string' });
    if (/[\\$]/.test(value)) throw new NotSimple();
    const part = { kind: 'encapsedpart', expression: { kind: 'string', value } };
    return this.node('encapsed', start, { type: 'heredoc', value: value === '' ? [] : [part] });
  }

  /** Start of the closing label; undefined if it is missing or indented. */
  private heredocEnd(label: string, from: number): number | undefined {
    const { text } = this;
    for (let at = text.indexOf(label, from); at >= 0; at = text.indexOf(label, at + 1)) {
      if (/\w/.test(text[at + label.length] ?? '')) continue;
      let start = at;
      while (start > from && /[ \t]/.test(text[start - 1]!)) start--;
      if (start > 0 && !/[\n\r\u2028\u2029]/.test(text[start - 1]!)) continue;
      return start === at ? at : undefined;
    }
    return undefined;
  }

  protected other(start: number, end = this.at): PhpNode {
    return this.node('other', start, {}, end);
  }

  protected node(kind: string, start: number, parts: Readonly<Record<string, unknown>>, end = this.at): PhpNode {
    this.end = end;
    return { kind, start, end, ...parts };
  }
}
