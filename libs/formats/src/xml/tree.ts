import { TextDocument, type Edit } from '../core/document';
import { FormatError } from '../format';
import { markupWithoutReferences } from './references';
import { decodeXml, XmlScanner, type XmlElement, type XmlOther } from './scan';

/** Range of an attribute in a well-formed start tag, with the space before it. */
function attributeIn(tag: string, name: string): { start: number; end: number; valueStart: number } | undefined {
  const ATTRIBUTE = /\s+([^\s=]+)\s*=\s*(?="([^"]*)"|'([^']*)')/y;
  ATTRIBUTE.lastIndex = /^<[^\s/>]*/.exec(tag)?.[0].length ?? 0;
  for (;;) {
    const start = ATTRIBUTE.lastIndex;
    const match = ATTRIBUTE.exec(tag);
    if (!match) return undefined;
    const valueStart = ATTRIBUTE.lastIndex;
    const end = valueStart + (match[2] ?? match[3] ?? '').length + 2;
    if (match[1] === name) return { start, end, valueStart };
    ATTRIBUTE.lastIndex = end;
  }
}

export { decodeXml, type XmlElement, type XmlNode, type XmlOther } from './scan';

/** Layout of new lines in an element. */
export interface Layout {
  /** Line end and indentation of each line; '' if everything is on one line. */
  line: string;
  /** One level of indentation. */
  step: string;
  eol: string;
}

/** The same for the children of the element. */
export function deeper({ line, step, eol }: Layout): Layout {
  return { line: line === '' ? '' : line + step, step, eol };
}

/**
 * Validates that XML can represent a text.
 * @throws FormatError `unrepresentable`
 */
export function checkedXml(text: string): string {
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(text)) {
    throw new FormatError('unrepresentable', 'the text has control characters that XML does not allow');
  }
  return text;
}

const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

/** CDATA sections of an element and of the elements in it, in document order. */
function sectionsOf(element: XmlElement): XmlOther[] {
  return element.children.flatMap((child) =>
    child.kind === 'element' ? sectionsOf(child) : child.kind === 'cdata' ? [child] : [],
  );
}

/** A parsed XML document with source ranges. Entities are not expanded. */
export class XmlTree {
  readonly root: XmlElement;
  /** Names of the entities that the document type declares. */
  readonly entities: ReadonlySet<string>;
  private readonly text: string;

  constructor(readonly document: TextDocument) {
    this.text = document.text;
    const entities = new Set<string>();
    this.entities = entities;
    const { root } = new XmlScanner(document, entities, 'document').scan();
    if (!root) throw document.error('the file has no XML element', 0);
    this.root = root;
  }

  /** The raw content of an element, with decoded references to characters outside the charset. */
  inner(element: XmlElement): string {
    return markupWithoutReferences(this.document, this.text.slice(element.openEnd, element.closeStart));
  }

  /** The text content of an element including CDATA sections, without tags. */
  textOf(element: XmlElement): string {
    if (element.children.length === 0) return this.decode(this.inner(element));
    let result = '';
    let at = element.openEnd;
    for (const child of element.children) {
      result += this.decode(this.text.slice(at, child.start));
      if (child.kind === 'cdata')
        result += this.text.slice(child.start + CDATA.length, child.end - CDATA_END.length).replaceAll('\r\n', '\n');
      else if (child.kind === 'element') result += this.textOf(child);
      at = child.end;
    }
    return result + this.decode(this.text.slice(at, element.closeStart));
  }

  /** The markup in an element. CDATA sections are converted to escaped text. */
  markupOf(element: XmlElement): string {
    let result = '';
    let at = element.openEnd;
    for (const { start, end } of sectionsOf(element)) {
      const content = this.text.slice(start + CDATA.length, end - CDATA_END.length);
      result += this.text.slice(at, start);
      result += content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      at = end;
    }
    return markupWithoutReferences(this.document, result + this.text.slice(at, element.closeStart));
  }

  /** Encodes a text for an element: as CDATA if it has only one CDATA section. */
  escapeInto(element: XmlElement, text: string): string {
    const [only, ...others] = element.children;
    const isSection =
      only?.kind === 'cdata' &&
      others.length === 0 &&
      only.start === element.openEnd &&
      only.end === element.closeStart &&
      text !== '' &&
      !text.includes('\r');
    if (!isSection) return this.escape(text, this.inner(element));
    const content = checkedXml(text).replaceAll(CDATA_END, `]]${CDATA_END}${CDATA}>`);
    return CDATA + content.replaceAll('\n', this.document.eol) + CDATA_END;
  }

  commentText(node: XmlOther): string {
    return this.text.slice(node.start + 4, node.end - 3).trim();
  }

  /** Decodes predefined and numeric references. References to declared entities are kept. */
  decode(raw: string): string {
    const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
    return text.includes('&') ? decodeXml(text) : text;
  }

  /** Escapes a text for element content. References to declared entities are kept. */
  escape(text: string, model = ''): string {
    return checkedXml(this.escapeMarkup(text, model)).replaceAll('\r', '&#13;').replaceAll('\n', this.document.eol);
  }

  private escapeMarkup(text: string, model: string): string {
    const keepGreater = model.includes('>') && !model.includes('&gt;');
    let escaped = text.replace(/&(?:([\w:.-]+);)?/g, (whole, name: string | undefined) =>
      name !== undefined && this.entities.has(name) ? whole : `&amp;${whole.slice(1)}`,
    );
    escaped = escaped.replaceAll('<', '&lt;');
    escaped = keepGreater ? escaped.replaceAll(']]>', ']]&gt;') : escaped.replaceAll('>', '&gt;');
    if (model.includes('&quot;')) escaped = escaped.replaceAll('"', '&quot;');
    if (model.includes('&apos;')) escaped = escaped.replaceAll("'", '&apos;');
    return escaped;
  }

  escapeAttribute(text: string): string {
    return checkedXml(this.escapeMarkup(text, ''))
      .replaceAll('"', '&quot;')
      .replaceAll('\r', '&#13;')
      .replaceAll('\n', '&#10;')
      .replaceAll('\t', '&#9;');
  }

  /**
   * Replaces the content of an element by markup.
   * @param closingTags keep the closing tag of an element that becomes empty
   */
  setInner(element: XmlElement, markup: string, closingTags = true): Edit[] {
    if (!element.selfClosing) {
      if (this.inner(element) === markup) return [];
      if (markup === '' && !closingTags) return [{ start: element.openEnd - 1, end: element.end, text: '/>' }];
      return [{ start: element.openEnd, end: element.closeStart, text: markup }];
    }
    if (markup === '') return [];
    const slash = this.text.lastIndexOf('/', element.end - 1);
    const start = element.start + this.text.slice(element.start, slash).trimEnd().length;
    return [{ start, end: element.end, text: `>${markup}</${element.name}>` }];
  }

  /** Sets an attribute, or removes it (undefined). */
  setAttribute(element: XmlElement, name: string, value: string | undefined): Edit[] {
    const tag = this.text.slice(element.start, element.openEnd);
    const attribute = attributeIn(tag, name);
    if (!attribute) {
      if (value === undefined) return [];
      const at = element.start + tag.slice(0, tag.endsWith('/>') ? -2 : -1).trimEnd().length;
      return [{ start: at, end: at, text: ` ${name}="${this.escapeAttribute(value)}"` }];
    }
    const start = element.start + attribute.start;
    const end = element.start + attribute.end;
    if (value === undefined) return [{ start, end, text: '' }];
    if (element.attributes[name] === value) return [];
    return [{ start: element.start + attribute.valueStart, end, text: `"${this.escapeAttribute(value)}"` }];
  }

  /** The whole line of an element including its line end if the element is alone on it, else the element. */
  wholeLines(start: number, end: number): Edit {
    const from = this.document.lineStart(start);
    const to = this.document.lineEnd(end);
    const alone = this.document.startsLine(start) && this.document.endsLine(end);
    return alone && from < start + 1 ? { start: from, end: to, text: '' } : { start, end, text: '' };
  }

  /**
   * Copies an element to another file with replacements, in the layout of that file. Only white space between elements changes.
   */
  copy(element: XmlElement, edits: readonly Edit[], { line, step, eol }: Layout): string {
    const all = [...edits];
    const replaced = ({ start, end }: XmlElement): boolean =>
      edits.some((edit) => edit.start <= start && end <= edit.end && edit.start < edit.end);
    const layOut = (outer: XmlElement, depth: number): void => {
      const inner = outer.children.filter((child) => child.kind === 'element');
      const gaps = [outer.openEnd, ...outer.children.map(({ end }) => end)].map((start, i) => ({
        start,
        end: outer.children[i]?.start ?? outer.closeStart,
      }));
      if (inner.length === 0 || gaps.some(({ start, end }) => this.text.slice(start, end).trim() !== '')) return;
      const known = edits.filter((edit) => edit.start >= outer.openEnd && edit.end <= outer.closeStart);
      gaps.forEach(({ start, end }, i) => {
        const deeper = i < gaps.length - 1 ? depth : depth - 1;
        if (start < end && !known.some((edit) => edit.start < end && start < edit.end))
          all.push({ start, end, text: line === '' ? '' : line + step.repeat(deeper) });
      });
      for (const child of inner) if (!replaced(child)) layOut(child, depth + 1);
    };
    layOut(element, 1);
    const sorted = all.filter(({ start, end }) => start >= element.start && end <= element.end);
    sorted.sort((a, b) => a.start - b.start || a.end - b.end);
    return this.document.piece(element.start, element.end, sorted).replace(/\r\n?|\n/g, eol);
  }

  /** Indentation before an offset; undefined if other text precedes it. */
  indentOf(offset: number): string | undefined {
    return this.document.startsLine(offset) ? this.text.slice(this.document.lineStart(offset), offset) : undefined;
  }
}

export function elements(parent: XmlElement | undefined, local?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of parent?.children ?? []) {
    if (child.kind === 'element' && (local === undefined || child.local === local)) found.push(child);
  }
  return found;
}

export function firstElement(parent: XmlElement | undefined, local: string): XmlElement | undefined {
  for (const child of parent?.children ?? []) if (child.kind === 'element' && child.local === local) return child;
  return undefined;
}

/** All elements with a name, in document order. */
export function* descendants(root: XmlElement, local: string): Generator<XmlElement> {
  for (const child of root.children) {
    if (child.kind !== 'element') continue;
    if (child.local === local) yield child;
    yield* descendants(child, local);
  }
}

/** Whether an element has child elements. CDATA sections and comments do not count. */
export function hasInline(element: XmlElement | undefined): boolean {
  return element?.children.some(({ kind }) => kind === 'element' || kind === 'instruction') ?? false;
}

/** The charset of the XML declaration. */
export function xmlCharset(bytes: Buffer): { charset: string; charsetAt: { line: number; column: number } } {
  const head = bytes.subarray(0, 200).toString('latin1');
  const match = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(head);
  const charset = match?.[1] ?? 'utf-8';
  // A declaration that is readable as single bytes is not UTF-16, whatever it declares.
  return { charset: /^utf-?16/i.test(charset) ? 'utf-8' : charset, charsetAt: { line: 1, column: 1 } };
}

/** Whether a text is an XML fragment with a tag, CDATA section or comment. */
export function isMarkup(text: string, entities: ReadonlySet<string>): boolean {
  if (!/<[A-Za-z!][^]*>/.test(text)) return false;
  try {
    new XmlScanner(new TextDocument(Buffer.from(text)), new Set(entities), 'fragment').scan();
    return !text.includes('<?');
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
