import { SaxesParser } from 'saxes';
import { printable, type Edit, type TextDocument } from '../core/document';
import { FormatError } from '../format';

/** An element with the places of its tags. Text is what lies between the children. */
export interface XmlElement {
  readonly kind: 'element';
  readonly name: string;
  /** The name without its prefix. */
  readonly local: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly start: number;
  /** Behind the opening tag. */
  readonly openEnd: number;
  /** Before the closing tag; the same as `openEnd` where the element closes itself. */
  closeStart: number;
  end: number;
  readonly selfClosing: boolean;
  readonly children: XmlNode[];
  readonly parent: XmlElement | undefined;
}

/** A comment, a CDATA section or a processing instruction; `end` is behind it. */
export interface XmlOther {
  readonly kind: 'comment' | 'cdata' | 'instruction';
  readonly start: number;
  readonly end: number;
}

export type XmlNode = XmlElement | XmlOther;

/** Attributes that one element may have. */
const MAX_ATTRIBUTES = 256;

/** A well-formed XML text as a tree of places. Entities are not expanded, so none can grow. */
export class XmlTree {
  readonly root: XmlElement;
  /** Names of the entities that the document type declares. */
  readonly entities: ReadonlySet<string>;
  private readonly text: string;

  constructor(readonly document: TextDocument) {
    this.text = document.text;
    const entities = new Set<string>();
    this.entities = entities;
    this.root = this.parse(entities);
  }

  private parse(entities: Set<string>): XmlElement {
    const { text, document } = this;
    const { maxDepth } = document.limits;
    const parser = new SaxesParser({ xmlns: false, position: false });
    let root: XmlElement | undefined;
    let current: XmlElement | undefined;
    let depth = 0;
    const fail = (message: string, offset: number, limit = false): FormatError =>
      document.error(message, Math.min(offset, text.length), limit ? 'limit' : 'syntax');
    parser.on('error', (error) => {
      const message = error.message.replace(/^(?:undefined:)?\d+:\d+:\s*/, '').replace(/\.$/, '');
      throw fail(`not well-formed XML: ${printable(message, 80)}`, Math.max(parser.position - 1, 0));
    });
    parser.on('doctype', (doctype) => {
      for (const [, name] of doctype.matchAll(/<!ENTITY\s+([\w:.-]+)\s+(?:"[^"]*"|'[^']*'|SYSTEM|PUBLIC)/g)) {
        entities.add(name as string);
        (parser.ENTITIES as Record<string, string>)[name as string] = `&${name as string};`;
      }
    });
    parser.on('opentag', (tag) => {
      const openEnd = parser.position;
      const start = text.lastIndexOf('<', openEnd - 1);
      depth += 1;
      if (depth > maxDepth) throw fail(`more than ${maxDepth} nested elements`, start, true);
      const attributes = tag.attributes as Record<string, string>;
      let count = 0;
      for (const name in attributes) count += name === '' ? 0 : 1;
      if (count > MAX_ATTRIBUTES) throw fail(`more than ${MAX_ATTRIBUTES} attributes`, start, true);
      const { name, isSelfClosing } = tag;
      const local = name.slice(name.indexOf(':') + 1);
      const element: XmlElement = {
        kind: 'element',
        name,
        local,
        attributes,
        start,
        openEnd,
        closeStart: openEnd,
        end: openEnd,
        selfClosing: isSelfClosing,
        children: [],
        parent: current,
      };
      current?.children.push(element);
      root ??= element;
      current = element;
    });
    parser.on('closetag', () => {
      const element = current as XmlElement;
      if (!element.selfClosing) {
        element.end = parser.position;
        element.closeStart = text.lastIndexOf('<', element.end - 1);
      }
      depth -= 1;
      current = element.parent;
    });
    parser.on('comment', () => {
      const end = parser.position;
      current?.children.push({ kind: 'comment', start: text.lastIndexOf('<!--', end - 1), end });
    });
    parser.on('cdata', () => {
      const end = parser.position;
      const before = current?.children.at(-1)?.end ?? current?.openEnd ?? 0;
      current?.children.push({ kind: 'cdata', start: text.indexOf('<![CDATA[', before), end });
    });
    parser.on('processinginstruction', () => {
      const end = parser.position;
      current?.children.push({ kind: 'instruction', start: text.lastIndexOf('<?', end - 1), end });
    });
    parser.write(text).close();
    if (!root) throw fail('the file holds no XML element', 0);
    return root;
  }

  /** What stands between an element's tags, as written. */
  inner(element: XmlElement): string {
    return this.text.slice(element.openEnd, element.closeStart);
  }

  /** The text of an element and of CDATA sections in it, without the tags of inner elements. */
  textOf(element: XmlElement): string {
    if (element.children.length === 0) return this.decode(this.inner(element));
    let result = '';
    let at = element.openEnd;
    for (const child of element.children) {
      result += this.decode(this.text.slice(at, child.start));
      if (child.kind === 'cdata') result += this.text.slice(child.start + 9, child.end - 3).replaceAll('\r\n', '\n');
      else if (child.kind === 'element') result += this.textOf(child);
      at = child.end;
    }
    return result + this.decode(this.text.slice(at, element.closeStart));
  }

  commentText(node: XmlOther): string {
    return this.text.slice(node.start + 4, node.end - 3).trim();
  }

  /** Characters for predefined and numeric references; references to declared entities stay as they are. */
  decode(raw: string): string {
    const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
    return text.includes('&') ? decodeXml(text) : text;
  }

  /** A text for between tags. References to declared entities stay such. */
  escape(text: string, like = ''): string {
    return this.breaks(this.escapeMarkup(text, like)).replaceAll('\r', '&#13;').replaceAll('\n', this.document.eol);
  }

  private breaks(text: string): string {
    if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(text)) {
      throw new FormatError('unrepresentable', 'the text has control characters that XML cannot hold');
    }
    return text;
  }

  private escapeMarkup(text: string, like: string): string {
    const keepGreater = like.includes('>') && !like.includes('&gt;');
    let escaped = text.replace(/&(?:([\w:.-]+);)?/g, (whole, name: string | undefined) =>
      name !== undefined && this.entities.has(name) ? whole : `&amp;${whole.slice(1)}`,
    );
    escaped = escaped.replaceAll('<', '&lt;');
    escaped = keepGreater ? escaped.replaceAll(']]>', ']]&gt;') : escaped.replaceAll('>', '&gt;');
    if (like.includes('&quot;')) escaped = escaped.replaceAll('"', '&quot;');
    if (like.includes('&apos;')) escaped = escaped.replaceAll("'", '&apos;');
    return escaped;
  }

  escapeAttribute(text: string): string {
    return this.breaks(this.escapeMarkup(text, ''))
      .replaceAll('"', '&quot;')
      .replaceAll('\r', '&#13;')
      .replaceAll('\n', '&#10;')
      .replaceAll('\t', '&#9;');
  }

  /** Replaces all that stands between an element's tags with ready markup. */
  setInner(element: XmlElement, markup: string): Edit[] {
    if (!element.selfClosing) {
      if (this.inner(element) === markup) return [];
      return [{ start: element.openEnd, end: element.closeStart, text: markup }];
    }
    if (markup === '') return [];
    const slash = this.text.lastIndexOf('/', element.end - 1);
    const start = slash - (/\s*$/.exec(this.text.slice(element.start, slash))?.[0].length ?? 0);
    return [{ start, end: element.end, text: `>${markup}</${element.name}>` }];
  }

  /** Sets an attribute, or takes it away (undefined). */
  setAttribute(element: XmlElement, name: string, value: string | undefined): Edit[] {
    const tag = this.text.slice(element.start, element.openEnd);
    const attribute = new RegExp(`(\\s+)${name.replace(/[.\\-]/g, '\\$&')}\\s*=\\s*("[^"]*"|'[^']*')`).exec(tag);
    if (!attribute) {
      if (value === undefined) return [];
      const close = /\s*\/?>$/.exec(tag) as RegExpExecArray;
      const at = element.start + close.index;
      return [{ start: at, end: at, text: ` ${name}="${this.escapeAttribute(value)}"` }];
    }
    const start = element.start + attribute.index;
    const end = start + attribute[0].length;
    if (value === undefined) return [{ start, end, text: '' }];
    if (element.attributes[name] === value) return [];
    const quoted = attribute[2] as string;
    return [{ start: end - quoted.length, end, text: `"${this.escapeAttribute(value)}"` }];
  }

  /** From an element's line start (where only blanks stand before it) to behind its line end, or just the element. */
  wholeLines(start: number, end: number): Edit {
    const from = this.document.lineStart(start);
    const to = this.document.lineEnd(end);
    const alone = this.text.slice(from, start).trim() === '' && this.text.slice(end, to).trim() === '';
    return alone && from < start + 1 ? { start: from, end: to, text: '' } : { start, end, text: '' };
  }

  /** The blanks before a place on its line, or undefined where other text stands there. */
  indentOf(offset: number): string | undefined {
    const before = this.text.slice(this.document.lineStart(offset), offset);
    return before.trim() === '' ? before : undefined;
  }
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Predefined and numeric references of well-formed XML. */
export function decodeXml(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(lt|gt|amp|quot|apos));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] as string;
      const code = hex !== undefined ? parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
    },
  );
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

/** Every element of a tree with that name, in document order. */
export function* descendants(root: XmlElement, local: string): Generator<XmlElement> {
  for (const child of root.children) {
    if (child.kind !== 'element') continue;
    if (child.local === local) yield child;
    yield* descendants(child, local);
  }
}

/** The charset that the XML declaration names. */
export function xmlCharset(bytes: Buffer): { charset: string; charsetAt: { line: number; column: number } } {
  const head = bytes.subarray(0, 200).toString('latin1');
  const match = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(head);
  const charset = match?.[1] ?? 'utf-8';
  // A file whose declaration can be read byte by byte is not UTF-16, whatever it says.
  return { charset: /^utf-?16/i.test(charset) ? 'utf-8' : charset, charsetAt: { line: 1, column: 1 } };
}

/** Whether a text is a piece of XML with at least one tag, CDATA section or comment. */
export function isMarkup(text: string, entities: ReadonlySet<string>): boolean {
  if (!/<[A-Za-z!][^]*>/.test(text)) return false;
  const parser = new SaxesParser({ xmlns: false, fragment: true });
  for (const name of entities) (parser.ENTITIES as Record<string, string>)[name] = '';
  let good = true;
  parser.on('error', () => {
    good = false;
  });
  parser.on('processinginstruction', () => {
    good = false;
  });
  try {
    parser.write(text).close();
  } catch {
    return false;
  }
  return good;
}
