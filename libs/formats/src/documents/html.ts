import { defaultTreeAdapter, parse, type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes } from 'parse5';
import type { TextDocument } from '../core/document';
import { keyedFormat, type KeyedParts, type Slot } from '../core/keyed';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements that are part of a sentence. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label map mark q rp rt ruby s samp small span strike strong sub sup svg time tt u var wbr'.split(
    ' ',
  ),
);
const HIDDEN = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'math',
  'iframe',
  'object',
  'textarea',
  'pre',
]);
const ATTRIBUTES = new Set(['alt', 'title', 'placeholder', 'aria-label', 'summary']);
const META = /^(?:description|keywords|og:title|og:description|twitter:title|twitter:description)$/i;

interface Place extends Slot {
  attribute: boolean;
}

/** Counts the nodes, so that misnested tags cannot be copied without end. */
function boundedParse(document: TextDocument): DefaultTreeAdapterTypes.Document {
  let left = document.text.length + 1000;
  const adapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...args) {
      left -= 2;
      if (left < 0) throw document.error('too many elements for the size of the file', 0, 'limit');
      return defaultTreeAdapter.createElement(...args);
    },
  };
  return parse<DefaultTreeAdapterMap>(document.text, { sourceCodeLocationInfo: true, treeAdapter: adapter });
}

function places(document: TextDocument): Place[] {
  const found: Place[] = [];
  const { maxDepth } = document.limits;
  const run: Node[] = [];
  const flush = (): void => {
    const first = run[0]?.sourceCodeLocation;
    const last = run.at(-1)?.sourceCodeLocation;
    if (first && last) pushTrimmed(document, found, first.startOffset, last.endOffset);
    run.length = 0;
  };
  const walk = (node: Element | DefaultTreeAdapterTypes.Document, depth: number): void => {
    if (depth > maxDepth) throw document.error(`more than ${maxDepth} nested elements`, 0, 'limit');
    for (const child of node.childNodes) {
      if ('tagName' in child) attributes(child, found, document);
      if (isInline(child)) run.push(child);
      else {
        flush();
        if ('childNodes' in child && !('content' in child) && !HIDDEN.has((child as Element).tagName))
          walk(child as Element, depth + 1);
        flush();
      }
    }
    flush();
  };
  walk(boundedParse(document), 0);
  const sorted = found.sort((a, b) => a.start - b.start || b.end - a.end);
  let covered = -1;
  return sorted.filter((place) => {
    if (place.end <= covered) return false;
    covered = place.end;
    return true;
  });
}

/** Text, comments in between, and elements with nothing but such in them. */
function isInline(node: Node): boolean {
  if (node.nodeName === '#text') return true;
  if (!('tagName' in node) || !INLINE.has(node.tagName)) return false;
  return node.childNodes.every((child) => isInline(child) || child.nodeName === '#comment');
}

function attributes(element: Element, found: Place[], document: TextDocument): void {
  const locations = element.sourceCodeLocation?.attrs ?? {};
  for (const { name, value } of element.attrs) {
    const isMeta =
      element.tagName === 'meta' &&
      name === 'content' &&
      element.attrs.some((a) => /^(?:name|property)$/.test(a.name) && META.test(a.value));
    const isButton =
      element.tagName === 'input' &&
      name === 'value' &&
      element.attrs.some((a) => a.name === 'type' && /^(?:submit|button|reset)$/i.test(a.value));
    const location = locations[name];
    if (!location || value.trim() === '' || !(ATTRIBUTES.has(name) || isMeta || isButton)) continue;
    const raw = document.text.slice(location.startOffset, location.endOffset);
    const quoted = /=\s*(["'])/.exec(raw);
    if (!quoted) continue;
    found.push({
      start: location.startOffset + quoted.index + quoted[0].length,
      end: location.endOffset - 1,
      attribute: true,
    });
  }
}

function pushTrimmed(document: TextDocument, found: Place[], start: number, end: number): void {
  const raw = document.text.slice(start, end);
  // A run without a letter or digit outside tags has nothing to translate.
  if (!/[\p{L}\p{N}]/u.test(raw.replace(/<[^<>]*>|&[\w#]{1,32};/g, ''))) return;
  found.push({
    start: start + raw.length - raw.trimStart().length,
    end: start + raw.trimEnd().length,
    attribute: false,
  });
}

function isAttribute(document: TextDocument, slot: Slot): boolean {
  const before = document.text[slot.start - 1];
  return (
    (before === '"' || before === "'") &&
    document.text[slot.end] === before &&
    /=\s*$/.test(document.text.slice(Math.max(0, slot.start - 20), slot.start - 1))
  );
}

/** HTML pages: runs of text with the inline tags in them, as they are written, and the attributes that people read. */
export const html = keyedFormat({
  id: 'html',
  copyOnCreate: true,
  read({ document }) {
    return places(document).map((place, i): KeyedParts => {
      const raw = document.text.slice(place.start, place.end).replaceAll('\r\n', '\n');
      const text = place.attribute
        ? raw.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
        : raw;
      return {
        context: String(i + 1),
        target: [text],
        offset: place.start,
        slots: [{ start: place.start, end: place.end }],
        removal: [],
      };
    });
  },
  encode({ document }, text, slot) {
    const value = isAttribute(document, slot)
      ? text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
      : text;
    return value.replaceAll('\n', document.eol);
  },
});
