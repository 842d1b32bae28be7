import { hasInline, isMarkup, type XmlElement, type XmlTree } from '../xml/tree';

/** The text of a source or target: with its markup where it has inline elements, else decoded. CDATA is text. */
export function richText(tree: XmlTree, element: XmlElement | undefined): string {
  if (!element) return '';
  return hasInline(element) ? tree.markupOf(element).replaceAll('\r\n', '\n') : tree.textOf(element);
}

/**
 * Whether a string of the format stands there: a source without text and without inline element has nothing to translate. The
 * source of a monolingual pair is a value, which may be empty.
 */
export function isString(tree: XmlTree, source: XmlElement, monolingual: boolean | undefined): boolean {
  return monolingual === true || hasInline(source) || tree.textOf(source) !== '';
}

/**
 * Writes a text as markup where one of the elements before it has inline elements, else as text.
 * @param like the element that takes the text, if it exists, then its source; empty for a new string, whose text decides
 */
export function encodeRich(tree: XmlTree, text: string, like: readonly XmlElement[]): string {
  const inline = like.length === 0 || like.some(hasInline);
  // CDATA and comments would be read back as other text.
  const markup = inline && !/<!/.test(text) && isMarkup(text, tree.entities);
  return markup ? text.replaceAll('\n', tree.document.eol) : encodePlain(tree, text, like);
}

/** Writes a text in the way of the first element: with its escapes, or as CDATA. */
export function encodePlain(tree: XmlTree, text: string, [first]: readonly XmlElement[]): string {
  return first ? tree.escapeInto(first, text) : tree.escape(text, '');
}
