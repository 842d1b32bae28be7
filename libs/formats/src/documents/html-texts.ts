import { ownRegExp } from '@parlance/patterns';
import { withoutBlanks } from '../core/blanks';
import type { TextDocument } from '../core/document';
import type { Slot } from '../core/keyed';
import { withoutReferences } from '../xml/references';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Elements that are part of a sentence. */
const INLINE = words(
  'a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label map mark q rp rt ruby s samp small span strike strong sub sup svg time tt u var wbr',
);
/** Elements without visible text. Those of the first kind have no markup either. */
const RAW = words('script style textarea iframe noscript noembed noframes xmp');
const HIDDEN = words('template svg math object');
/** The tags that close or nest a skipped element. */
const SKIPPED_TAGS = new Map(
  [...RAW, ...HIDDEN, 'title'].map((name) => [
    name,
    ownRegExp(HIDDEN.has(name) ? `<(/?)${name}(?=[\\s/>])` : `</${name}(?=[\\s/>])`, 'gi'),
  ]),
);
const VOID = words('area base br col embed hr img input link meta param source track wbr');
const ATTRIBUTES = words('alt title placeholder aria-label summary');
const META = /^(?:description|keywords|og:title|og:description|twitter:title|twitter:description)$/i;

/** A text or the value of an attribute. */
export interface HtmlText extends Slot {
  attribute: boolean;
}

/** A segment of text between two block boundaries. */
interface Segment extends Slot {
  kind: 'text' | 'open' | 'close' | 'void' | 'comment';
  name: string;
  /** The matching tag. */
  partner?: Segment;
  /** Ends a run: an unmatched tag, or a tag around a block. */
  breaks: boolean;
  index: number;
}

interface Attribute extends Slot {
  name: string;
  quoted: boolean;
}

/** Finds the visible texts of a page in one pass. The cost does not depend on misnesting. */
export class HtmlTextScanner {
  private readonly found: HtmlText[] = [];
  private readonly text: string;
  private segments: Segment[] = [];
  private open: Segment[] = [];
  private readonly attributes: Attribute[] = [];
  /** Name of the skipped element whose opening tag was just read. */
  private skipped: { name: string; raw: boolean } | undefined;

  constructor(private readonly document: TextDocument) {
    this.text = document.text;
  }

  read(): HtmlText[] {
    const { text } = this;
    for (let at = 0; at < text.length;) {
      const tag = text.indexOf('<', at);
      const start = tag < 0 ? text.length : tag;
      const end = start < text.length ? this.markup(start) : start;
      if (start > at) this.add('text', '', at, start);
      // `<` that starts no tag is text.
      if (end === start && start < text.length) this.add('text', '', start, start + 1);
      if (end > start) this.token(start, end);
      at = this.skipContent(Math.max(end, start + (start < text.length ? 1 : 0)));
    }
    this.flush();
    return this.outermost();
  }

  /** Offset after the tag, comment or declaration at an offset; the offset itself if there is none. An unclosed tag extends to the end. */
  private markup(start: number): number {
    const { text } = this;
    const next = text.charCodeAt(start + 1);
    if (text.startsWith('<!--', start)) return this.behind('-->', start + 2);
    if (next === 33 || next === 63) return this.behind('>', start);
    const name = start + (next === 47 ? 2 : 1);
    return isLetter(text.charCodeAt(name)) ? this.tagEnd(name) : start;
  }

  private behind(mark: string, from: number): number {
    const end = this.text.indexOf(mark, from);
    return end < 0 ? this.text.length : end + mark.length;
  }

  /** Reads a tag's name and attributes. Returns the offset after it. */
  private tagEnd(from: number): number {
    const { text } = this;
    const { length } = text;
    this.attributes.length = 0;
    let at = from;
    while (at < length && !endsName(text.charCodeAt(at))) at += 1;
    for (;;) {
      while (at < length && (isSpace(text.charCodeAt(at)) || text[at] === '/')) at += 1;
      if (at >= length) return length;
      if (text[at] === '>') return at + 1;
      const name = at;
      at += 1;
      while (at < length && text[at] !== '=' && !endsName(text.charCodeAt(at))) at += 1;
      const nameEnd = at;
      while (at < length && isSpace(text.charCodeAt(at))) at += 1;
      if (text[at] !== '=') continue;
      at += 1;
      while (at < length && isSpace(text.charCodeAt(at))) at += 1;
      const quote = text[at];
      const quoted = quote === '"' || quote === "'";
      const start = quoted ? at + 1 : at;
      if (quoted) at = text.indexOf(quote, start);
      else while (at < length && text[at] !== '>' && !isSpace(text.charCodeAt(at))) at += 1;
      if (at < 0) return length;
      this.attributes.push({ name: text.slice(name, nameEnd).toLowerCase(), start, end: at, quoted });
      if (quoted) at += 1;
    }
  }

  private token(start: number, end: number): void {
    const { text } = this;
    const second = text[start + 1] as string;
    if (second === '!' || second === '?') {
      if (text.startsWith('<!--', start)) this.add('comment', '', start, end);
      return;
    }
    const closes = second === '/';
    let nameEnd = start + (closes ? 2 : 1);
    const nameStart = nameEnd;
    while (nameEnd < end && !endsName(text.charCodeAt(nameEnd))) nameEnd += 1;
    const name = text.slice(nameStart, nameEnd).toLowerCase();
    if (!closes) {
      this.takeAttributes(name);
      const empty = text[end - 2] === '/' && (name === 'svg' || name === 'math');
      if (!empty && (RAW.has(name) || HIDDEN.has(name) || name === 'title'))
        this.skipped = { name, raw: !HIDDEN.has(name) };
    }
    if (!INLINE.has(name) || HIDDEN.has(name)) this.flush();
    else this.add(VOID.has(name) ? 'void' : closes ? 'close' : 'open', name, start, end);
  }

  /** Offset after the content of a hidden element. The content of a title is a text. */
  private skipContent(at: number): number {
    const { text, skipped } = this;
    if (!skipped) return at;
    this.skipped = undefined;
    const tag = SKIPPED_TAGS.get(skipped.name)!;
    tag.lastIndex = at;
    let depth = 1;
    for (let match = tag.exec(text); match; match = tag.exec(text)) {
      depth += skipped.raw || match[1] === '/' ? -1 : 1;
      if (depth > 0) continue;
      if (skipped.name === 'title') this.push(at, match.index);
      return match.index;
    }
    return text.length;
  }

  private add(kind: Segment['kind'], name: string, start: number, end: number): void {
    const segment: Segment = { kind, name, start, end, breaks: false, index: this.segments.length };
    this.segments.push(segment);
    if (kind === 'open') this.open.push(segment);
    else if (kind === 'close') {
      // Bounds the search for a matching tag in malformed pages.
      const from = Math.max(this.open.length - 64, 0);
      for (let i = this.open.length - 1; i >= from; i--) {
        const opening = this.open[i] as Segment;
        if (opening.name !== name) continue;
        opening.partner = segment;
        segment.partner = opening;
        this.open.splice(i, 1);
        break;
      }
    }
  }

  /** At a block boundary: turns the segments since the last boundary into runs. */
  private flush(): void {
    const { segments } = this;
    if (segments.length === 0) return;
    this.segments = [];
    this.open = [];
    let lastBreak = -1;
    for (const segment of segments) {
      if (segment.kind === 'open' && !segment.partner) segment.breaks = true;
      else if (segment.kind === 'close') {
        const opening = segment.partner;
        segment.breaks = opening === undefined || lastBreak > opening.index;
        if (opening && segment.breaks) opening.breaks = true;
      }
      if (segment.breaks) lastBreak = segment.index;
    }
    let depth = 0;
    let first: Segment | undefined;
    let last: Segment | undefined;
    for (const segment of segments) {
      if (!segment.breaks && segment.kind === 'open') depth += 1;
      else if (!segment.breaks && segment.kind === 'close') depth -= 1;
      if (segment.breaks || (segment.kind === 'comment' && depth === 0)) {
        if (first && last) this.push(first.start, last.end);
        first = undefined;
      } else {
        first ??= segment;
        last = segment;
      }
    }
    if (first && last) this.push(first.start, last.end);
  }

  private push(start: number, end: number): void {
    const raw = this.text.slice(start, end);
    if (!hasWords(withoutReferences(this.document, raw))) return;
    const span = withoutBlanks(this.text, start, end);
    this.found.push({ start: span.start, end: span.end, attribute: false });
  }

  private takeAttributes(tag: string): void {
    for (const { name, start, end, quoted } of this.attributes) {
      if (!quoted || !(ATTRIBUTES.has(name) || this.isMeta(tag, name) || this.isButton(tag, name))) continue;
      if (this.text.slice(start, end).trim() !== '') this.found.push({ start, end, attribute: true });
    }
  }

  private isMeta(tag: string, name: string): boolean {
    return tag === 'meta' && name === 'content' && this.hasAttribute(/^(?:name|property)$/, META);
  }

  private isButton(tag: string, name: string): boolean {
    return tag === 'input' && name === 'value' && this.hasAttribute(/^type$/, /^(?:submit|button|reset)$/i);
  }

  private hasAttribute(names: RegExp, value: RegExp): boolean {
    return this.attributes.some((a) => names.test(a.name) && value.test(this.text.slice(a.start, a.end)));
  }

  /** In document order. Attributes inside a text are part of the text. */
  private outermost(): HtmlText[] {
    const sorted = this.found.sort((a, b) => a.start - b.start || b.end - a.end);
    let covered = -1;
    return sorted.filter((span) => {
      if (span.end <= covered) return false;
      covered = span.end;
      return true;
    });
  }
}

/** A run without letters and digits outside tags is not translatable. */
function hasWords(raw: string): boolean {
  const bare = raw.includes('<') || raw.includes('&') ? raw.replace(/<[^<>]*>|&[\w#]{1,32};/g, '') : raw;
  return /[a-z0-9]/i.test(bare) || /[\p{L}\p{N}]/u.test(bare);
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13 || code === 12;
}

function endsName(code: number): boolean {
  return code === 62 || code === 47 || isSpace(code);
}
