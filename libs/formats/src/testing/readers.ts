import { TextDocument } from '../core/document';
import { XmlTree, type XmlElement } from '../xml/tree';

/** Result of an independent parser of nested data: scalars as texts, without empty members. */
export function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).map(([name, inner]) => [name, readable(inner)] as const);
  const kept = members.filter(([, inner]) => inner !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** Content of an XML text, independent of element order and layout. */
export function wholeXml(text: string): unknown {
  const { root } = new XmlTree(new TextDocument(Buffer.from(text)));
  const read = (element: XmlElement): string => {
    const inner: string[] = [];
    let at = element.openEnd;
    for (const child of element.children) {
      inner.push(text.slice(at, child.start));
      inner.push(child.kind === 'element' ? read(child) : text.slice(child.start, child.end));
      at = child.end;
    }
    inner.push(text.slice(at, element.closeStart));
    const structural =
      element.children.some(({ kind }) => kind === 'element') &&
      inner.every((part, i) => i % 2 === 1 || part.trim() === '');
    const pieces = structural ? inner.filter((part) => part.trim() !== '').sort() : inner;
    const attributes = Object.entries(element.attributes).sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([element.name, attributes, pieces]);
  };
  return read(root);
}
