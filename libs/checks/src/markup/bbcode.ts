import { haveSameItems } from '../text/measures';
import type { FormPair } from '../check-input';

const BBCODE = /\[(\/?)([a-z*]{1,20})(?:=[^[\]]{0,500})?\]/gi;

/** Opening tags (`=` marks a value) and closing tags. Names without any closing tag are not BBCode. */
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

export function bbcode({ source, target }: FormPair): boolean {
  return !haveSameItems(source.memoize('bbcode', bbcodeTags), bbcodeTags(target.text));
}
