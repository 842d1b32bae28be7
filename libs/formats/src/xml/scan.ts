import { ownRegExp } from '@parlance/patterns';
import { declaredEntities } from './entities';
import type { TextDocument } from '../core/document';
import type { FormatError } from '../format';

/** An element with the ranges of its tags. Text is between the children. */
export interface XmlElement {
  readonly kind: 'element';
  readonly name: string;
  /** Local name. */
  readonly local: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly start: number;
  /** Behind the opening tag. */
  readonly openEnd: number;
  /** Offset of the closing tag; equal to `openEnd` for a self-closing element. */
  closeStart: number;
  end: number;
  readonly selfClosing: boolean;
  readonly children: XmlNode[];
  readonly parent: XmlElement | undefined;
}

/** A comment, a CDATA section or a processing instruction; `end` is exclusive. */
export interface XmlOther {
  readonly kind: 'comment' | 'cdata' | 'instruction';
  readonly start: number;
  readonly end: number;
}

export type XmlNode = XmlElement | XmlOther;

/** Kind of input: a document with one root element, or a fragment. */
export type XmlShape = 'document' | 'fragment';

/** Maximum number of attributes of an element. */
const MAX_ATTRIBUTES = 256;

const START =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NAME = ownRegExp(`[${START}][${START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*`, 'uy');
const ASCII_NAME = /[A-Za-z_:][\w:.-]*(?![^\x00-\x7F])/y;
const DECLARATION =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])1\.\d+\1(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(["'])[A-Za-z][\w.-]*\2)?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(["'])(?:yes|no)\3)?[ \t\r\n]*\?>/y;
const REFERENCE = /&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|([^\s&;<#]{1,100}));/y;
/** Tokens of a document type in which brackets have no meaning: declarations, quoted texts, comments and instructions. */
const DOCTYPE_PART = /"[^"]*"|'[^']*'|<!--[^]*?-->|<\?[^]*?\?>|[[\]>]/g;
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
const PREDEFINED: ReadonlySet<string> = new Set(['lt', 'gt', 'amp', 'quot', 'apos']);

/**
 * Parses a well-formed XML 1.0 text into a tree with source ranges, in one pass. Entities are never expanded, and no other file is
 * opened.
 */
export class XmlScanner {
  root: XmlElement | undefined;
  private readonly text: string;
  private current: XmlElement | undefined;
  /** Declared entities whose references are rejected, with the reason. */
  private readonly unusable = new Map<string, string>();
  private depth = 0;
  private at = 0;

  constructor(
    private readonly document: TextDocument,
    /** Names of the declared entities. A fragment gets those of its document. */
    readonly entities: Set<string>,
    private readonly shape: XmlShape,
  ) {
    this.text = document.text;
  }

  scan(): this {
    const { text } = this;
    const bad = text.search(FORBIDDEN);
    if (bad >= 0) throw this.fail('a character that XML does not allow', bad);
    if (this.shape === 'document' && /^<\?xml[ \t\r\n]/.test(text)) {
      DECLARATION.lastIndex = 0;
      if (!DECLARATION.test(text)) throw this.fail('a damaged XML declaration', 0);
      this.at = DECLARATION.lastIndex;
    }
    while (this.at < text.length) {
      const next = text.indexOf('<', this.at);
      const end = next < 0 ? text.length : next;
      if (end > this.at) this.checkText(this.at, end);
      this.at = end;
      if (end < text.length) this.markup(end);
    }
    const open = this.current;
    if (open) throw this.fail(`no closing tag for ${open.name}`, text.length);
    return this;
  }

  private fail(message: string, offset: number): FormatError {
    return this.document.error(`not well-formed XML: ${message}`, Math.min(offset, this.text.length));
  }

  private checkText(start: number, end: number): void {
    const { text } = this;
    if (!this.current && this.shape === 'document') {
      for (let at = start; at < end; at++)
        if (!isSpace(text.charCodeAt(at))) throw this.fail('text outside the root element', at);
      return;
    }
    // A slice: searching the whole text for every segment takes quadratic time.
    const piece = text.slice(start, end);
    const close = piece.indexOf(']]>');
    if (close >= 0) throw this.fail('the text contains ]]>', start + close);
    if (piece.includes('&')) this.checkReferences(piece, start);
  }

  private checkReferences(piece: string, start: number): void {
    for (let at = piece.indexOf('&'); at >= 0; at = piece.indexOf('&', at + 1)) {
      REFERENCE.lastIndex = at;
      const match = REFERENCE.exec(piece);
      if (!match) throw this.fail('an & does not start a reference', start + at);
      const [, hex, decimal, name] = match;
      if (name !== undefined) {
        if (!PREDEFINED.has(name) && !this.entities.has(name))
          throw this.fail('a reference to an unknown entity', start + at);
        const unsupported = this.unusable.get(name);
        if (unsupported !== undefined)
          throw this.document.error(`references to entities for ${unsupported} are not supported`, start + at);
      } else if (!isCharacter(hex === undefined ? Number(decimal) : parseInt(hex, 16)))
        throw this.fail('a reference to a character that XML does not allow', start + at);
    }
  }

  private markup(start: number): void {
    const { text } = this;
    const second = text.charCodeAt(start + 1);
    if (second === 47) this.closeTag(start);
    else if (second === 33) this.declaration(start);
    else if (second === 63) this.instruction(start);
    else this.openTag(start);
  }

  private declaration(start: number): void {
    const { text } = this;
    if (text.startsWith('<!--', start)) {
      const end = text.indexOf('--', start + 4);
      if (end < 0) throw this.fail('a comment is not closed', start);
      if (text[end + 2] !== '>') throw this.fail('two dashes in a comment', end);
      this.other('comment', start, end + 3);
    } else if (text.startsWith('<![CDATA[', start) && (this.current || this.shape === 'fragment')) {
      const end = text.indexOf(']]>', start + 9);
      if (end < 0) throw this.fail('a CDATA section is not closed', start);
      this.other('cdata', start, end + 3);
    } else if (text.startsWith('<!DOCTYPE', start) && !this.root && this.shape === 'document') this.doctype(start);
    else throw this.fail('a declaration is not allowed here', start);
  }

  private doctype(start: number): void {
    const { text } = this;
    let depth = 0;
    DOCTYPE_PART.lastIndex = start + 9;
    for (let part = DOCTYPE_PART.exec(text); part; part = DOCTYPE_PART.exec(text)) {
      if (part[0] === '[') depth += 1;
      else if (part[0] === ']') depth -= 1;
      else if (part[0] === '>' && depth === 0) {
        this.at = DOCTYPE_PART.lastIndex;
        for (const [name, problem] of declaredEntities(this.document, start, this.at)) {
          this.entities.add(name);
          if (problem !== '') this.unusable.set(name, problem);
        }
        return;
      }
    }
    throw this.fail('a document type declaration is not closed', start);
  }

  private instruction(start: number): void {
    const name = this.name(start + 2);
    const end = this.text.indexOf('?>', start + 2 + name.length);
    if (end < 0) throw this.fail('a processing instruction is not closed', start);
    if (name.toLowerCase() === 'xml') throw this.fail('an XML declaration that is not at the start', start);
    if (end > start + 2 + name.length && !isSpace(this.text.charCodeAt(start + 2 + name.length)))
      throw this.fail('a processing instruction without a name', start);
    this.other('instruction', start, end + 2);
  }

  private other(kind: XmlOther['kind'], start: number, end: number): void {
    this.current?.children.push({ kind, start, end });
    this.at = end;
  }

  private closeTag(start: number): void {
    const { text, current } = this;
    const name = this.name(start + 2);
    let at = start + 2 + name.length;
    while (isSpace(text.charCodeAt(at))) at += 1;
    if (text[at] !== '>') throw this.fail('a closing tag is not terminated', start);
    if (!current || current.name !== name)
      throw this.fail(
        current ? `expected the closing tag of ${current.name}` : 'a closing tag without an element',
        start,
      );
    current.closeStart = start;
    current.end = at + 1;
    this.current = current.parent;
    this.depth -= 1;
    this.at = at + 1;
  }

  private openTag(start: number): void {
    const { text } = this;
    const { maxDepth } = this.document.limits;
    if (this.depth >= maxDepth) throw this.document.error(`more than ${maxDepth} nested elements`, start, 'limit');
    if (this.root && !this.current && this.shape === 'document') throw this.fail('a second root element', start);
    const name = this.name(start + 1);
    this.at = start + 1 + name.length;
    const attributes = this.attributes(start);
    const selfClosing = text[this.at] === '/';
    if (selfClosing) this.at += 1;
    if (text[this.at] !== '>') throw this.fail('a tag is not terminated', start);
    const openEnd = this.at + 1;
    this.at = openEnd;
    const colon = name.indexOf(':');
    const element: XmlElement = {
      kind: 'element',
      name,
      local: colon < 0 ? name : name.slice(colon + 1),
      attributes,
      start,
      openEnd,
      closeStart: openEnd,
      end: openEnd,
      selfClosing,
      children: [],
      parent: this.current,
    };
    this.current?.children.push(element);
    this.root ??= element;
    if (selfClosing) return;
    this.current = element;
    this.depth += 1;
  }

  private attributes(start: number): Readonly<Record<string, string>> {
    const { text } = this;
    let attributes: Record<string, string> | undefined;
    for (let count = 0; ; count++) {
      const before = this.at;
      while (isSpace(text.charCodeAt(this.at))) this.at += 1;
      const code = text.charCodeAt(this.at);
      if (code === 62 || code === 47) return attributes ?? NO_ATTRIBUTES;
      if (this.at === before) throw this.fail('attributes are not separated by white space', this.at);
      if (count >= MAX_ATTRIBUTES) throw this.document.error(`more than ${MAX_ATTRIBUTES} attributes`, start, 'limit');
      const name = this.name(this.at);
      this.at += name.length;
      while (isSpace(text.charCodeAt(this.at))) this.at += 1;
      if (text[this.at] !== '=') throw this.fail('an attribute without a value', this.at);
      this.at += 1;
      while (isSpace(text.charCodeAt(this.at))) this.at += 1;
      const quote = text[this.at];
      const end = quote === '"' || quote === "'" ? text.indexOf(quote, this.at + 1) : -1;
      if (end < 0) throw this.fail('an attribute without quotes', this.at);
      const raw = text.slice(this.at + 1, end);
      if (raw.includes('<')) throw this.fail('an attribute contains <', this.at + 1 + raw.indexOf('<'));
      if (raw.includes('&')) this.checkReferences(raw, this.at + 1);
      attributes ??= Object.create(null) as Record<string, string>;
      if (name in attributes) throw this.fail('an attribute twice', this.at);
      attributes[name] = attributeText(raw);
      this.at = end + 1;
    }
  }

  private name(at: number): string {
    ASCII_NAME.lastIndex = at;
    let match = ASCII_NAME.exec(this.text);
    if (!match || this.text.charCodeAt(ASCII_NAME.lastIndex) > 127) {
      NAME.lastIndex = at;
      match = NAME.exec(this.text);
    }
    if (!match) throw this.fail('a name is missing', at);
    return match[0];
  }
}

const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>);

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13;
}

function isCharacter(code: number): boolean {
  return (
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff)
  );
}

/** An attribute's value with normalized white space. References to declared entities are kept. */
function attributeText(raw: string): string {
  const text = /[\t\r\n]/.test(raw) ? raw.replace(/\r\n|[\t\r\n]/g, ' ') : raw;
  return text.includes('&') ? decodeXml(text) : text;
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Decodes predefined and numeric references of well-formed XML. */
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
