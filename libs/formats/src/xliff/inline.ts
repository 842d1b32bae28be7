import { hasInline, isMarkup, type XmlElement, type XmlTree } from '../xml/tree';

/** The text of a source or target: markup if it has inline elements, else decoded. CDATA is text. */
export function richText(tree: XmlTree, element: XmlElement | undefined): string {
  if (!element) return '';
  return hasInline(element) ? tree.markupOf(element).replaceAll('\r\n', '\n') : tree.textOf(element);
}

/**
 * Whether an element is a string. A source without text and inline elements is not translatable, but in a monolingual pair the
 * source is a value and may be empty.
 */
export function isString(tree: XmlTree, source: XmlElement, monolingual: boolean | undefined): boolean {
  return monolingual === true || hasInline(source) || tree.textOf(source) !== '';
}

/**
 * Encodes a text as markup if one of the given elements has inline elements, else as text.
 * @param models the element that receives the text, if it exists, then its source; empty for a new string, whose text decides
 */
export function encodeRich(tree: XmlTree, text: string, models: readonly XmlElement[]): string {
  const inline = models.length === 0 || models.some(hasInline);
  // CDATA and comments would be read back as different text.
  const markup = inline && !/<!/.test(text) && isMarkup(text, tree.entities);
  return markup ? text.replaceAll('\n', tree.document.eol) : encodePlain(tree, text, models);
}

/** Encodes a text in the style of the first element: escaped or CDATA. */
export function encodePlain(tree: XmlTree, text: string, [first]: readonly XmlElement[]): string {
  return first ? tree.escapeInto(first, text) : tree.escape(text, '');
}
