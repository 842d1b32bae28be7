import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import type { FormPair } from '../check-input';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;
type Fragment = DefaultTreeAdapterTypes.DocumentFragment;

/** Allowed elements: those that structure or format text. */
const ELEMENTS = new Set(
  (
    'a abbr acronym area article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd del details dfn div dl dt em ' +
    'figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main map mark nav ol p pre q rp rt rtc ruby s samp section small ' +
    'span strike strong sub summary sup table tbody td th thead time tr tt u ul var wbr'
  ).split(' '),
);

const ATTRIBUTES = new Set(
  'abbr align alt cite class colspan coords datetime dir headers height href hreflang id lang name rel rowspan scope shape span src start summary target title valign value width'.split(
    ' ',
  ),
);

const URL_ATTRIBUTES = new Set(['href', 'src', 'cite']);
const SCHEMES = new Set(['http', 'https', 'ftp', 'mailto', 'tel']);

/** Elements that are removed with their content, because it is not text or follows other parsing rules. */
const DROPPED = new Set(
  'script style iframe object embed applet frame frameset noframes noscript noembed template svg math textarea title xmp plaintext select option form input button link meta base video audio source track canvas portal head'.split(
    ' ',
  ),
);

function urlIsSafe(value: string): boolean {
  // Browsers skip control characters and blanks inside a scheme.
  const visible = [...value].filter((char) => char > ' ' && (char < '\u007f' || char > '\u00a0')).join('');
  const scheme = /^([^/?#:]*):/.exec(visible)?.[1];
  return scheme === undefined || SCHEMES.has(scheme.toLowerCase());
}

const isElement = (node: Node): node is Element => 'tagName' in node;

/** Removes elements and attributes that are not allowed. Returns whether it removed any. */
function removeUnsafe(parent: Element | Fragment): boolean {
  let changed = false;
  for (let index = 0; index < parent.childNodes.length; index++) {
    const node = parent.childNodes[index]!;
    if (node.nodeName === '#text') continue;
    if (!isElement(node) || DROPPED.has(node.tagName)) {
      parent.childNodes.splice(index--, 1);
      changed = true;
      continue;
    }
    if (!ELEMENTS.has(node.tagName)) {
      // Unknown elements are replaced by their content.
      for (const child of node.childNodes) child.parentNode = parent;
      parent.childNodes.splice(index--, 1, ...node.childNodes);
      changed = true;
      continue;
    }
    const kept = node.attrs.filter(
      ({ name, value }) => ATTRIBUTES.has(name) && (!URL_ATTRIBUTES.has(name) || urlIsSafe(value)),
    );
    if (kept.length < node.attrs.length) {
      node.attrs = kept;
      changed = true;
    }
    if (removeUnsafe(node)) changed = true;
  }
  return changed;
}

/** Bounds the recursion of `removeUnsafe`: parse5 builds trees of any depth. */
const MAX_TAGS = 2000;

/** A Markdown autolink such as `<https://...>` is not a tag. */
const AUTOLINK = /<(?:https?|ftp|mailto):[^\s<>]{1,2000}>/gi;

/**
 * Removes HTML that can run code or load resources. Returns a safe text unchanged.
 *
 * @param markdown keep Markdown autolinks
 */
export function sanitizeHtml(text: string, markdown = false): string {
  if (!text.includes('<')) return text;
  const links: string[] = [];
  const input = markdown ? text.replace(AUTOLINK, (link) => `\ue000${links.push(link) - 1}\ue001`) : text;
  if (input.split('<').length > MAX_TAGS) return input.replaceAll('<', '&lt;');
  const fragment = parseFragment(input);
  if (!removeUnsafe(fragment)) return text;
  return serialize(fragment).replace(/\ue000(\d{1,6})\ue001/g, (mark, index: string) => links[Number(index)] ?? mark);
}

export function safeHtml({ target, unit }: FormPair): boolean {
  return sanitizeHtml(target.text, unit.flags.has('md-text')) !== target.text;
}

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** The elements of a text with the names of their attributes; undefined if tags are not balanced. */
export function htmlElements(text: string): string[] | undefined {
  const open: string[] = [];
  const names: string[] = [];
  for (const match of text.matchAll(/<(\/?)([A-Za-z][\w-]{0,60})(?=[\s/>])([^<>]{0,2000}?)(\/?)>/g)) {
    const [, closing, rawName = '', inside = '', selfClosing] = match;
    const name = rawName.toLowerCase();
    if (closing) {
      if (open.pop() !== name) return undefined;
    } else {
      const attributes = [...inside.matchAll(/\s([A-Za-z][\w-]{0,60})=/g)].map((attribute) =>
        attribute[1]!.toLowerCase(),
      );
      names.push([name, ...attributes.sort()].join(' '));
      if (!selfClosing && !VOID.has(name)) open.push(name);
    }
  }
  return open.length > 0 ? undefined : names;
}
