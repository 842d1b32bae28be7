import { TextDocument } from '../core/document';
import { FormatError } from '../format';

/** How a JSON file is laid out. */
export interface JsonLayout {
  sortKeys: boolean;
  /** One step of indentation. */
  indent: string;
}

const TOKEN = /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|([^\s{}[\],:"]+))/y;

/** Reformats the tokens of a JSON text. Strings and numbers keep their spelling. */
class Writer {
  private at = 0;

  constructor(
    private readonly document: TextDocument,
    private readonly layout: JsonLayout,
  ) {}

  private next(): { text: string; mark: boolean } {
    TOKEN.lastIndex = this.at;
    const match = TOKEN.exec(this.document.text);
    if (!match) throw this.document.error('this is not JSON', this.at);
    this.at = TOKEN.lastIndex;
    return { text: (match[1] ?? match[2] ?? match[3])!, mark: match[1] !== undefined };
  }

  private peek(): string {
    const before = this.at;
    const { text } = this.next();
    this.at = before;
    return text;
  }

  value(depth: number): string {
    if (depth > this.document.limits.maxDepth) throw this.document.error('nested too deeply', this.at, 'limit');
    const token = this.next();
    if (!token.mark) return token.text;
    const list = token.text === '[';
    const close = list ? ']' : '}';
    const items: { key: string; text: string }[] = [];
    if (this.peek() === close) {
      this.next();
      return `${token.text}${close}`;
    }
    for (let mark = ','; mark === ',';) {
      const key = list ? '' : this.next().text;
      if (!list) this.next();
      items.push({ key, text: `${list ? '' : `${key}: `}${this.value(depth + 1)}` });
      mark = this.next().text;
    }
    if (!list && this.layout.sortKeys)
      items.sort((a, b) => compare(JSON.parse(a.key) as string, JSON.parse(b.key) as string));
    const { eol } = this.document;
    const inner = eol + this.layout.indent.repeat(depth + 1);
    return `${token.text}${inner}${items.map((item) => item.text).join(`,${inner}`)}${eol}${this.layout.indent.repeat(depth)}${close}`;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Reformats a JSON file. @throws FormatError */
export function layoutJson(bytes: Buffer, layout: JsonLayout): Buffer {
  const document = new TextDocument(bytes);
  try {
    JSON.parse(document.text);
  } catch {
    throw new FormatError('syntax', 'this is not JSON', 1, 1);
  }
  const end = document.text.slice(document.text.trimEnd().length);
  const text = new Writer(document, layout).value(0) + (end.includes('\n') ? document.eol : '');
  return text === document.text ? bytes : document.splice([{ start: 0, end: document.text.length, text }]);
}
