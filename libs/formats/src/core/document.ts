import { isAscii, isUtf8 } from 'node:buffer';
import * as iconv from 'iconv-lite';
import { defaultLimits, FormatError, type FormatErrorCode, type Limits } from '../format';
import { canEncode, decodeText, encodeText, isAsciiName, missingCharacters } from './charset';

/** Replaces the characters from `start` up to `end` of a document's text. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface DecodeOptions {
  /** Charset of a file without byte order mark. Default UTF-8. */
  charset?: string;
  /** Offset that errors about the charset report. */
  charsetAt?: { line: number; column: number };
  /** Lines that end with a lone `\r` count as one line. */
  carriageIsText?: boolean | undefined;
  limits?: Partial<Limits> | undefined;
}

const BOMS: readonly { bytes: readonly number[]; charset: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], charset: 'utf-8' },
  // UTF-32 comes before UTF-16, whose byte order mark is a prefix of its own.
  { bytes: [0xff, 0xfe, 0, 0], charset: 'utf-32le' },
  { bytes: [0, 0, 0xfe, 0xff], charset: 'utf-32be' },
  { bytes: [0xff, 0xfe], charset: 'utf-16le' },
  { bytes: [0xfe, 0xff], charset: 'utf-16be' },
];

/** A decoded file. Edits replace characters and keep all other bytes. */
export class TextDocument {
  /** The text without byte order mark. If all lines end with `\r`, they end with `\n` here. */
  readonly text: string;
  readonly charset: string;
  readonly limits: Limits;
  private readonly bomLength: number;
  /** False if the charset has two byte sequences for one character and the file uses the unusual one. */
  private readonly roundTrips: boolean;
  /** All lines end with a lone `\r`. */
  private readonly carriage: boolean;
  private lineStarts: number[] | undefined;
  /** Cache: the line that was found last. */
  private lastLine = 0;
  private eolFound: '\n' | '\r\n' | undefined;

  constructor(
    readonly bytes: Buffer,
    options: DecodeOptions = {},
  ) {
    this.limits = { ...defaultLimits, ...options.limits };
    checkSize(bytes.length, this.limits);
    const bom = BOMS.find((b) => b.bytes.every((value, i) => bytes[i] === value));
    this.bomLength = bom?.bytes.length ?? 0;
    this.charset = (bom?.charset ?? options.charset ?? 'utf-8').toLowerCase();
    const body = this.bomLength > 0 ? bytes.subarray(this.bomLength) : bytes;
    const ascii = isAsciiName(this.charset);
    if (ascii && isAscii(body)) {
      this.charset = 'us-ascii';
      this.text = body.toString('latin1');
      this.roundTrips = true;
    } else if (ascii || this.charset === 'utf-8' || this.charset === 'utf8') {
      this.charset = 'utf-8';
      if (!isUtf8(body)) throw invalidUtf8(body);
      this.text = body.toString('utf8');
      this.roundTrips = true;
    } else {
      const at = options.charsetAt ?? { line: 1, column: 1 };
      if (!iconv.encodingExists(this.charset)) {
        throw new FormatError('charset', `unknown charset "${printable(this.charset)}"`, at.line, at.column);
      }
      this.text = decodeText(body, this.charset);
      const unit = /^utf-?32/.test(this.charset) ? 4 : /^utf-?16/.test(this.charset) ? 2 : 1;
      if (body.length % unit !== 0)
        throw this.error('the file ends in the middle of a character', this.text.length, 'charset');
      const bad = this.text.search(/\uFFFD|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
      if (bad >= 0) throw this.error(`the bytes here are no ${this.charset.toUpperCase()} text`, bad, 'charset');
      this.roundTrips = this.encode(this.text).equals(body);
    }
    this.carriage = !options.carriageIsText && !this.text.includes('\n') && this.text.includes('\r');
    if (this.carriage) this.text = this.text.replaceAll('\r', '\n');
    const nul = this.text.indexOf('\0');
    if (nul >= 0) throw this.error('a NUL character is not allowed', nul);
  }

  get bom(): boolean {
    return this.bomLength > 0;
  }

  /** The line end of the first line, as in `text`. */
  get eol(): '\n' | '\r\n' {
    if (this.eolFound === undefined) {
      const at = this.text.indexOf('\n');
      this.eolFound = at > 0 && this.text[at - 1] === '\r' ? '\r\n' : '\n';
    }
    return this.eolFound;
  }

  /** The line end of the line at an offset, or of the previous line if that line has none. */
  eolAt(offset: number): '\n' | '\r\n' {
    const end = this.lineEnd(offset);
    const feed = this.text[end - 1] === '\n' ? end - 1 : this.lineStart(offset) - 1;
    if (feed < 0) return this.eol;
    return this.text[feed - 1] === '\r' ? '\r\n' : '\n';
  }

  /** `eol` as the file has it. */
  get fileEol(): '\n' | '\r\n' | '\r' {
    return this.carriage ? '\r' : this.eol;
  }

  /** 1-based line and column (in characters) of an offset. */
  position(offset: number): { line: number; column: number } {
    const line = this.lineOf(offset);
    return { line: line + 1, column: offset - (this.starts()[line] as number) + 1 };
  }

  private starts(): readonly number[] {
    if (this.lineStarts === undefined) {
      this.lineStarts = [0];
      for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1))
        this.lineStarts.push(at + 1);
    }
    return this.lineStarts;
  }

  /** 0-based number of the line at an offset. Does not scan the line, which can be the whole file. */
  private lineOf(offset: number): number {
    const starts = this.starts();
    // Offsets are mostly queried in ascending order.
    const last = this.lastLine;
    if (offset >= (starts[last] as number)) {
      if (offset < (starts[last + 1] ?? Infinity)) return last;
      if (offset < (starts[last + 2] ?? Infinity)) return (this.lastLine = last + 1);
    }
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return (this.lastLine = low);
  }

  error(message: string, offset: number, code: FormatErrorCode = 'syntax'): FormatError {
    const { line, column } = this.position(Math.min(offset, this.text.length));
    return new FormatError(code, message, line, column);
  }

  /** Offset after the line at `offset`. */
  lineEnd(offset: number): number {
    return this.starts()[this.lineOf(offset) + 1] ?? this.text.length;
  }

  lineStart(offset: number): number {
    return this.starts()[this.lineOf(offset)] as number;
  }

  /** Whether only blanks precede an offset on its line. */
  startsLine(offset: number): boolean {
    let at = offset - 1;
    while (isBlank(this.text.charCodeAt(at))) at -= 1;
    return at < 0 || this.text.charCodeAt(at) === 10;
  }

  /** Whether only blanks follow an offset on its line. */
  endsLine(offset: number): boolean {
    let at = offset;
    while (isBlank(this.text.charCodeAt(at))) at += 1;
    return at >= this.text.length || this.text.charCodeAt(at) === 10;
  }

  /** Whether the document's charset can encode the text. */
  canEncode(text: string): boolean {
    return this.charset === 'utf-8' || canEncode(this.charset, text);
  }

  /**
   * The file's bytes after the edits. Edits may touch but not overlap. Edits at one offset apply in the given order.
   * Throws FormatError `unrepresentable` if the charset does not contain a character.
   */
  splice(edits: readonly Edit[]): Buffer {
    if (edits.length === 0) return Buffer.from(this.bytes);
    const sorted = edits.map((edit, order) => ({ ...edit, order }));
    sorted.sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
    for (const edit of sorted) {
      if (this.canEncode(edit.text)) continue;
      throw this.error(missingCharacters(this.charset, edit.text), edit.start, 'unrepresentable');
    }
    const head = this.bytes.subarray(0, this.bomLength);
    const body = this.roundTrips ? this.encode(this.piece(0, this.text.length, sorted)) : this.spliceLines(sorted);
    return Buffer.concat([head, body]);
  }

  /** Encodes only the edited lines. Others are copied as bytes. */
  private spliceLines(sorted: readonly Edit[]): Buffer {
    const bytes = this.bytes.subarray(this.bomLength);
    const byteStarts = [0];
    const feed = this.carriage ? 13 : 10;
    for (let at = bytes.indexOf(feed); at >= 0; at = bytes.indexOf(feed, at + 1)) byteStarts.push(at + 1);
    const starts = this.starts();
    if (starts.length !== byteStarts.length) throw this.error('the line ends are ambiguous', 0, 'charset');
    const parts: Buffer[] = [];
    let copied = 0;
    for (let i = 0; i < sorted.length;) {
      const first = this.position((sorted[i] as Edit).start).line - 1;
      let last = first;
      let next = i;
      while (next < sorted.length && this.position((sorted[next] as Edit).start).line - 1 <= last) {
        last = Math.max(last, this.position((sorted[next] as Edit).end).line - 1);
        next += 1;
      }
      const from = starts[first] ?? 0;
      const to = starts[last + 1] ?? this.text.length;
      parts.push(bytes.subarray(copied, byteStarts[first]));
      parts.push(this.encode(this.piece(from, to, sorted.slice(i, next))));
      copied = byteStarts[last + 1] ?? bytes.length;
      i = next;
    }
    parts.push(bytes.subarray(copied));
    return Buffer.concat(parts);
  }

  /** The text between two offsets after the edits, which are sorted. */
  piece(start: number, end: number, sorted: readonly Edit[]): string {
    return replaceAll(this.text.slice(start, end), sorted, start);
  }

  private encode(normal: string): Buffer {
    const text = this.carriage ? normal.replaceAll('\n', '\r') : normal;
    return this.charset === 'utf-8' ? Buffer.from(text, 'utf8') : encodeText(text, this.charset);
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}

function checkSize(size: number, limits: Limits): void {
  if (size > limits.maxBytes) {
    throw new FormatError('limit', `the file has ${size} bytes, more than the allowed ${limits.maxBytes}`, 1, 1);
  }
}

function replaceAll(text: string, sorted: readonly Edit[], base: number): string {
  let result = '';
  let at = 0;
  for (const edit of sorted) {
    if (edit.start - base < at) throw new Error(`edits overlap at ${edit.start}`);
    result += text.slice(at, edit.start - base) + edit.text;
    at = edit.end - base;
  }
  return result + text.slice(at);
}

function invalidUtf8(body: Buffer): FormatError {
  // Bisects for the longest valid prefix. A cut inside a character is not an error.
  let low = 0;
  let high = body.length;
  const startsValid = (length: number): boolean => {
    for (let cut = 0; cut < 4 && cut <= length; cut++) if (isUtf8(body.subarray(0, length - cut))) return true;
    return false;
  };
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (startsValid(middle)) low = middle;
    else high = middle - 1;
  }
  while (low > 0 && !isUtf8(body.subarray(0, low))) low -= 1;
  const before = body.subarray(0, low).toString('utf8');
  const line = before.split('\n').length;
  return new FormatError('charset', 'the bytes here are no UTF-8 text', line, before.length - before.lastIndexOf('\n'));
}

/** A short excerpt for messages, without control characters. */
export function printable(text: string, max = 40): string {
  const clean = text.replace(/[\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]/g, '?');
  return clean.length > max ? `${clean.slice(0, max)}...` : clean;
}
