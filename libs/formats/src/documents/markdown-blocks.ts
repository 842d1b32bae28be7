import type { TextDocument } from '../core/document';
import type { Slot } from '../core/keyed';
import { htmlBlockStart, skipDefinitions } from './markdown-rules';

interface Container {
  /** A block quote, or a list item with the indentation of its content. */
  kind: 'quote' | 'item';
  width: number;
  /** Whether the item has content. An empty item ends at a blank line. */
  filled: boolean;
}

type Leaf =
  | { kind: 'none' | 'indented' }
  | { kind: 'fence'; mark: string; length: number }
  /** Raw HTML; without `until` it ends at a blank line. */
  | { kind: 'html'; until: RegExp | undefined };

const NONE: Leaf = { kind: 'none' };
const TAB = 4;

/**
 * The paragraphs and headings of a Markdown text by the block rules of CommonMark 0.31, with exact ranges. Code, raw HTML, thematic breaks and link definitions are excluded. One pass over the lines.
 */
export class MarkdownBlocks {
  readonly found: Slot[] = [];
  private readonly text: string;
  private readonly loneReturns: boolean;
  private containers: Container[] = [];
  private leaf: Leaf = NONE;
  /** Content of the lines of the open paragraph. */
  private paragraph: Slot[] = [];
  /** The current line: end, offset, column, and remaining columns of a partially consumed tab. */
  private end = 0;
  private at = 0;
  private column = 0;
  private partial = 0;
  /** Distance to the next non-blank. */
  private next = 0;
  private indent = 0;

  constructor(
    private readonly document: TextDocument,
    private readonly from: number,
  ) {
    this.text = document.text;
    this.loneReturns = /\r(?!\n)/.test(this.text);
  }

  read(): Slot[] {
    const { text } = this;
    for (let start = this.from; start < text.length;) {
      const feed = this.lineFeed(start);
      this.end = feed > start && text[feed] === '\n' && text[feed - 1] === '\r' ? feed - 1 : feed;
      this.at = start;
      this.column = 0;
      this.partial = 0;
      this.line();
      start = feed + 1;
    }
    this.closeParagraph();
    return this.found;
  }

  private lineFeed(start: number): number {
    const { text } = this;
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    if (!this.loneReturns) return end;
    const back = text.indexOf('\r', start);
    return back < 0 || back >= end - 1 ? end : back;
  }

  private line(): void {
    const matched = this.matchContainers();
    const whole = matched === this.containers.length;
    if (this.leaf.kind === 'fence' || this.leaf.kind === 'html') {
      if (whole) {
        this.continueRaw(this.leaf);
        return;
      }
      this.leaf = NONE;
    }
    this.open(matched, whole);
  }

  /** Number of open containers that this line continues. */
  private matchContainers(): number {
    for (let i = 0; i < this.containers.length; i++) {
      const container = this.containers[i] as Container;
      this.look();
      if (container.kind === 'quote') {
        if (this.indent > 3 || this.text[this.next] !== '>' || this.next >= this.end) return i;
        this.skipQuoteMark();
      } else if (this.next >= this.end) {
        if (!container.filled) return i;
      } else if (this.indent >= container.width) this.advance(container.width);
      else return i;
    }
    this.look();
    return this.containers.length;
  }

  /** Opens blocks until only text is left, and adds the text to its paragraph. */
  private open(matched: number, whole: boolean): void {
    let lazy = !whole && this.paragraph.length > 0;
    const close = (): void => {
      this.closeTo(matched);
      lazy = false;
    };
    let fresh = false;
    for (;;) {
      this.look();
      const interrupts = this.paragraph.length > 0 && !fresh && (whole || lazy);
      if (this.next >= this.end) {
        if (!fresh) this.closeTo(matched);
        this.closeParagraph();
        if (this.leaf.kind !== 'indented') this.leaf = NONE;
        return;
      }
      if (this.indent > 3) {
        if (interrupts) break;
        if (!fresh) close();
        this.start({ kind: 'indented' });
        return;
      }
      const char = this.text[this.next] as string;
      if (char === '>') {
        if (!fresh) close();
        this.closeParagraph();
        this.skipQuoteMark();
        this.push('quote', 0);
      } else if (this.leafStart(char, interrupts && whole, interrupts, () => void (fresh || close()))) return;
      else {
        const width = this.itemWidth(char, interrupts && whole);
        if (width === 0) break;
        if (!fresh) close();
        this.closeParagraph();
        this.push('item', width);
      }
      fresh = true;
      matched = this.containers.length;
    }
    if (!fresh && !lazy) this.closeTo(matched);
    this.leaf = NONE;
    if (this.paragraph.length === 0) this.fill();
    this.paragraph.push({ start: this.next, end: this.trimmedEnd(this.next) });
  }

  /** Blocks of one kind of line: headings, rules, fences, raw HTML. `inside`: a paragraph of the same container is open. */
  private leafStart(char: string, inside: boolean, interrupts: boolean, close: () => void): boolean {
    if (char === '#') return this.heading(close);
    if (char === '`' || char === '~') return this.fence(char, close);
    if (char === '<') return this.html(interrupts, close);
    if (inside && (char === '=' || char === '-') && this.underline(char)) return true;
    if (char !== '*' && char !== '-' && char !== '_') return false;
    const rule = char === '*' ? /(?:\*[ \t]*){3,}/y : char === '-' ? /(?:-[ \t]*){3,}/y : /(?:_[ \t]*){3,}/y;
    if (!this.matchesLine(rule)) return false;
    close();
    this.start(NONE);
    return true;
  }

  private heading(close: () => void): boolean {
    const mark = this.match(/#{1,6}(?=[ \t\r\n]|$)/y);
    if (!mark) return false;
    close();
    this.start(NONE);
    let start = this.next + mark.length;
    while (start < this.end && isBlank(this.text.charCodeAt(start))) start += 1;
    let end = this.trimmedEnd(start);
    let hashes = end;
    while (hashes > start && this.text[hashes - 1] === '#') hashes -= 1;
    if (hashes === start) return true;
    if (hashes < end && isBlank(this.text.charCodeAt(hashes - 1))) end = this.trimmedEnd(start, hashes);
    if (end > start) this.found.push({ start, end });
    return true;
  }

  private fence(char: string, close: () => void): boolean {
    let length = this.next;
    while (this.text[length] === char) length += 1;
    length -= this.next;
    if (length < 3) return false;
    if (char === '`') {
      const tick = this.text.indexOf('`', this.next + length);
      if (tick >= 0 && tick < this.end) return false;
    }
    close();
    this.start({ kind: 'fence', mark: char, length });
    return true;
  }

  private html(interrupts: boolean, close: () => void): boolean {
    const line = this.text.slice(this.next, this.end);
    const kind = htmlBlockStart(line, interrupts);
    if (!kind) return false;
    close();
    this.start(kind.until?.test(line) ? NONE : { kind: 'html', until: kind.until });
    return true;
  }

  /** A setext underline turns a paragraph into a heading. */
  private underline(char: string): boolean {
    if (!this.matchesLine(char === '=' ? /=+[ \t]*/y : /-+[ \t]*/y)) return false;
    const before = this.found.length;
    this.closeParagraph();
    // Only link definitions precede, so the line is text or a thematic break.
    return this.found.length > before;
  }

  private continueRaw(leaf: Leaf & { kind: 'fence' | 'html' }): void {
    const blank = this.next >= this.end;
    if (leaf.kind === 'html') {
      const ends = leaf.until ? leaf.until.test(this.text.slice(this.next, this.end)) : blank;
      if (ends) this.leaf = NONE;
      return;
    }
    if (blank || this.indent > 3 || this.text[this.next] !== leaf.mark) return;
    let at = this.next;
    while (this.text[at] === leaf.mark) at += 1;
    if (at - this.next >= leaf.length && this.trimmedEnd(at) === at) this.leaf = NONE;
  }

  /** Indentation of the list item that starts here, or 0. Advances after its marker. */
  private itemWidth(char: string, inside: boolean): number {
    let mark = 1;
    if (char >= '0' && char <= '9') {
      const number = this.match(/\d{1,9}[.)]/y);
      if (!number || (inside && Number.parseInt(number, 10) !== 1)) return 0;
      mark = number.length;
    } else if (char !== '-' && char !== '*' && char !== '+') return 0;
    const behind = this.next + mark;
    if (behind < this.end && !isBlank(this.text.charCodeAt(behind))) return 0;
    const empty = this.trimmedEnd(behind) === behind;
    if (empty && inside) return 0;
    const outer = this.indent;
    this.advance(outer + mark);
    this.look();
    const gap = empty || this.indent > TAB ? 1 : this.indent;
    if (!empty) this.advance(gap);
    return outer + mark + gap;
  }

  private push(kind: Container['kind'], width: number): void {
    this.fill();
    this.containers.push({ kind, width, filled: false });
    const { maxDepth } = this.document.limits;
    if (this.containers.length > maxDepth)
      throw this.document.error(`more than ${maxDepth} nested blocks`, this.at, 'limit');
  }

  private start(leaf: Leaf): void {
    this.closeParagraph();
    this.fill();
    this.leaf = leaf;
  }

  private fill(): void {
    const last = this.containers.at(-1);
    if (last) last.filled = true;
  }

  private closeTo(count: number): void {
    if (count >= this.containers.length) return;
    this.closeParagraph();
    this.leaf = NONE;
    this.containers.length = count;
  }

  private closeParagraph(): void {
    const lines = this.paragraph;
    if (lines.length === 0) return;
    this.paragraph = [];
    const first = this.text[(lines[0] as Slot).start] === '[' ? skipDefinitions(this.text, lines) : 0;
    if (first < lines.length) this.found.push({ start: (lines[first] as Slot).start, end: (lines.at(-1) as Slot).end });
  }

  /** Finds the next non-blank and its column. */
  private look(): void {
    const { text, end } = this;
    let at = this.at;
    let column = this.column + this.partial;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === 32) column += 1;
      else if (code === 9) column += TAB - (column % TAB);
      else break;
    }
    this.next = at;
    this.indent = column - this.column;
  }

  /** Advances by columns, possibly into a tab. */
  private advance(columns: number): void {
    const goal = this.column + columns;
    this.column += this.partial;
    this.partial = 0;
    while (this.column < goal && this.at < this.end) {
      this.column += this.text[this.at] === '\t' ? TAB - (this.column % TAB) : 1;
      this.at += 1;
    }
    if (this.column > goal) {
      this.partial = this.column - goal;
      this.column = goal;
    }
  }

  private skipQuoteMark(): void {
    this.advance(this.indent + 1);
    if (this.at < this.end && isBlank(this.text.charCodeAt(this.at))) this.advance(1);
  }

  private match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.next;
    return sticky.exec(this.text)?.[0];
  }

  private matchesLine(sticky: RegExp): boolean {
    return this.next + (this.match(sticky)?.length ?? -1) === this.end;
  }

  private trimmedEnd(start: number, end = this.end): number {
    while (end > start && isBlank(this.text.charCodeAt(end - 1))) end -= 1;
    return end;
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
