import { type AnalyzedText, hasTrait, TRAIT } from '../text/analyzed-text';
import { haveSameItems } from '../text/measures';
import type { FormPair } from '../check-input';

/** Markup of a well-formed text. */
interface XmlMarkup {
  /** The text has comments or processing instructions. */
  hasOther: boolean;
  /** Tags with their sorted attribute names, in order of appearance. */
  tags: string[];
  /** The text has an ampersand that does not start an entity. */
  bareAmpersand: boolean;
}

const NAME = /[A-Za-z_:][\w:.-]{0,100}/y;
const ENTITY = /^&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});/i;

/** Maximum nesting. Deeper markup counts as malformed. */
const MAX_DEPTH = 200;

function nameAt(text: string, index: number): string | undefined {
  NAME.lastIndex = index;
  return NAME.exec(text)?.[0];
}

function skipSpace(text: string, index: number): number {
  while (/\s/.test(text[index] ?? '')) index++;
  return index;
}

interface OpeningTag {
  name: string;
  attributes: string[];
  selfClosing: boolean;
  /** Offset after the tag. */
  end: number;
}

/** Reads the opening tag at `start`; undefined if it is malformed. */
function readOpeningTag(text: string, start: number): OpeningTag | undefined {
  const name = nameAt(text, start + 1);
  if (name === undefined) return undefined;
  let index = start + 1 + name.length;
  const attributes: string[] = [];
  for (;;) {
    const before = index;
    index = skipSpace(text, index);
    if (text[index] === '>') return { name, attributes, selfClosing: false, end: index + 1 };
    if (text.startsWith('/>', index)) return { name, attributes, selfClosing: true, end: index + 2 };
    const attribute = index > before ? nameAt(text, index) : undefined;
    if (attribute === undefined || attributes.includes(attribute)) return undefined;
    attributes.push(attribute);
    const value = /\s{0,20}=\s{0,20}(["'])/y;
    value.lastIndex = index + attribute.length;
    const quote = value.exec(text);
    if (!quote) return undefined;
    const end = text.indexOf(quote[1]!, value.lastIndex);
    if (end < 0 || text.slice(value.lastIndex, end).includes('<')) return undefined;
    index = end + 1;
  }
}

/** Reads the closing tag of `name` at `start`. Returns the offset after it; undefined if it is malformed. */
function readClosingTag(text: string, start: number, name: string | undefined): number | undefined {
  const closed = nameAt(text, start + 2);
  if (closed === undefined || closed !== name) return undefined;
  const index = skipSpace(text, start + 2 + closed.length);
  return text[index] === '>' ? index + 1 : undefined;
}

/** Markup that is not a tag: start, end, and the tag that it counts as. */
const OTHER_MARKUP = [
  { start: '<!--', end: '-->', tag: undefined },
  { start: '<?', end: '?>', tag: undefined },
  { start: '<![CDATA[', end: ']]>', tag: '<![CDATA[]]>' },
] as const;

/**
 * Reads a text as the content of an XML element, in one pass. Accepts entities of any name, because messages use those of
 * HTML.
 */
function readXml(text: string): XmlMarkup | undefined {
  const markup: XmlMarkup = { tags: [], bareAmpersand: false, hasOther: false };
  const open: string[] = [];
  let index = 0;
  while (index < text.length) {
    const char = text[index];
    if (char === '&' && !ENTITY.test(text.slice(index, index + 40))) markup.bareAmpersand = true;
    if (char !== '<') {
      index++;
      continue;
    }
    const at = index;
    const other = OTHER_MARKUP.find(({ start }) => text.startsWith(start, at));
    if (other) {
      const end = text.indexOf(other.end, index + other.start.length);
      if (end < 0) return undefined;
      if (other.tag === undefined) markup.hasOther = true;
      else markup.tags.push(other.tag);
      index = end + other.end.length;
    } else if (text[index + 1] === '/') {
      const end = readClosingTag(text, index, open.pop());
      if (end === undefined) return undefined;
      index = end;
    } else {
      const tag = readOpeningTag(text, index);
      if (!tag || (!tag.selfClosing && open.push(tag.name) > MAX_DEPTH)) return undefined;
      markup.tags.push([tag.name, ...tag.attributes.sort()].join(' '));
      index = tag.end;
    }
  }
  return open.length > 0 ? undefined : markup;
}

/** Whether a text is well-formed XML with markup. */
export const isWellFormed = (text: string): boolean => text.includes('<') && readXml(text) !== undefined;

const xmlOf = (text: AnalyzedText): XmlMarkup | undefined => text.memoize('markup', readXml);

/** Markup of the source; undefined if the forms are not compared as XML. */
function sourceMarkup({ source, unit }: FormPair): XmlMarkup | undefined {
  const forced = unit.flags.has('xml-text');
  if (!forced && !hasTrait(source, TRAIT.lessThan)) return undefined;
  const markup = xmlOf(source);
  return markup && (forced || markup.tags.length > 0 || markup.hasOther) ? markup : undefined;
}

export function xmlInvalid(pair: FormPair): boolean {
  const source = sourceMarkup(pair);
  if (!source) return false;
  const target = xmlOf(pair.target);
  return !target || (target.bareAmpersand && !source.bareAmpersand);
}

export function xmlTags(pair: FormPair): boolean {
  const source = sourceMarkup(pair);
  const target = source && xmlOf(pair.target);
  if (!source || !target) return false;
  return !haveSameItems(source.tags, target.tags);
}
