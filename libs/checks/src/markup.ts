import { TRAIT } from './facts';
import type { Pair } from './unit';

/** What a text has of markup; undefined when it is not well-formed. */
interface Markup {
  /** Comments or processing instructions were found. */
  hasOther: boolean;
  /** Tags with their sorted attribute names, in order of appearance. */
  tags: string[];
  /** An ampersand that begins no entity was found. */
  bareAmpersand: boolean;
}

const NAME = /[A-Za-z_:][\w:.-]{0,100}/y;

/** Deeper nesting is taken for broken. */
const MAX_DEPTH = 200;

/**
 * Reads a text as the inside of an XML element, in one pass. Entities of any name are accepted, as messages use those of
 * HTML.
 */
function readMarkup(text: string): Markup | undefined {
  const tags: string[] = [];
  const open: string[] = [];
  let bareAmpersand = false;
  let hasOther = false;
  const name = (at: number): string | undefined => {
    NAME.lastIndex = at;
    return NAME.exec(text)?.[0];
  };
  let index = 0;
  while (index < text.length) {
    const char = text[index];
    if (char === '&') {
      if (!/^&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});/i.test(text.slice(index, index + 40)))
        bareAmpersand = true;
      index++;
      continue;
    }
    if (char !== '<') {
      index++;
      continue;
    }
    if (text.startsWith('<!--', index)) {
      const end = text.indexOf('-->', index + 4);
      if (end < 0) return undefined;
      hasOther = true;
      index = end + 3;
      continue;
    }
    if (text[index + 1] === '?') {
      const end = text.indexOf('?>', index + 2);
      if (end < 0) return undefined;
      hasOther = true;
      index = end + 2;
      continue;
    }
    if (text.startsWith('<![CDATA[', index)) {
      const end = text.indexOf(']]>', index + 9);
      if (end < 0) return undefined;
      tags.push('<![CDATA[]]>');
      index = end + 3;
      continue;
    }
    if (text[index + 1] === '/') {
      const closed = name(index + 2);
      if (closed === undefined || open.pop() !== closed) return undefined;
      index += 2 + closed.length;
      while (/\s/.test(text[index] ?? '')) index++;
      if (text[index] !== '>') return undefined;
      index++;
      continue;
    }
    const element = name(index + 1);
    if (element === undefined) return undefined;
    index += 1 + element.length;
    const attributes: string[] = [];
    for (;;) {
      const before = index;
      while (/\s/.test(text[index] ?? '')) index++;
      if (text[index] === '>') {
        if (open.push(element) > MAX_DEPTH) return undefined;
        index++;
        break;
      }
      if (text.startsWith('/>', index)) {
        index += 2;
        break;
      }
      const attribute = index > before ? name(index) : undefined;
      if (attribute === undefined || attributes.includes(attribute)) return undefined;
      attributes.push(attribute);
      index += attribute.length;
      const value = /\s{0,20}=\s{0,20}(["'])/y;
      value.lastIndex = index;
      const quote = value.exec(text);
      if (!quote) return undefined;
      const end = text.indexOf(quote[1]!, value.lastIndex);
      if (end < 0 || text.slice(value.lastIndex, end).includes('<')) return undefined;
      index = end + 1;
    }
    tags.push([element, ...attributes.sort()].join(' '));
  }
  return open.length > 0 ? undefined : { tags, bareAmpersand, hasOther };
}

const markupOf = (facts: Pair['source']): Markup | undefined => facts.remember('markup', readMarkup);

/** The source's markup, when the pair is to be compared as XML. */
function sourceMarkup({ source, unit }: Pair): Markup | undefined {
  const forced = unit.flags.has('xml-text');
  if (!forced && (source.traits & TRAIT.lessThan) === 0) return undefined;
  const markup = markupOf(source);
  return markup && (forced || markup.tags.length > 0 || markup.hasOther) ? markup : undefined;
}

export function xmlInvalid(pair: Pair): boolean {
  const source = sourceMarkup(pair);
  if (!source) return false;
  const target = markupOf(pair.target);
  return !target || (target.bareAmpersand && !source.bareAmpersand);
}

export function xmlTags(pair: Pair): boolean {
  const source = sourceMarkup(pair);
  const target = source && markupOf(pair.target);
  if (!source || !target) return false;
  return !sameList(source.tags, target.tags);
}

/** Equal as multisets. */
export function sameList(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  const sorted = [...right].sort();
  return [...left].sort().every((item, index) => item === sorted[index]);
}

const BBCODE = /\[(\/?)([a-z*]{1,20})(?:=[^[\]]{0,500})?\]/gi;

/** Opening (with `=` for those that have a value) and closing tags of those names that are closed somewhere in the text. */
function bbcodeTags(text: string): string[] {
  const tags = [...text.matchAll(BBCODE)].map(([tag, slash, name]) => ({
    name: name!.toLowerCase(),
    closes: slash === '/',
    hasValue: tag.includes('='),
  }));
  const closed = new Set(tags.flatMap(({ name, closes }) => (closes ? [name] : [])));
  return tags
    .filter(({ name }) => closed.has(name))
    .map(({ name, closes, hasValue }) => `${closes ? '/' : ''}${name}${hasValue ? '=' : ''}`);
}

export function bbcode({ source, target }: Pair): boolean {
  return !sameList(source.remember('bbcode', bbcodeTags), bbcodeTags(target.text));
}
