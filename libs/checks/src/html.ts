import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import type { Pair } from './unit';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;
type Fragment = DefaultTreeAdapterTypes.DocumentFragment;

/** Elements that only structure or mark text. */
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

/** Elements whose content is not text, or is read by other rules: they go with all they hold. */
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

/** Removes what is not allowed; true when there was something. */
function clean(parent: Element | Fragment): boolean {
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
      // The text of an unknown element stays.
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
    if (clean(node)) changed = true;
  }
  return changed;
}

/** parse5 builds trees of any depth, which the walk here could not follow. */
const MAX_TAGS = 2000;

/** `<https://...>` of Markdown is no tag. */
const AUTOLINK = /<(?:https?|ftp|mailto):[^\s<>]{1,2000}>/gi;

/**
 * The text without HTML that could run code or load things; the text itself when it is safe.
 *
 * @param markdown leave Markdown's links in angle brackets alone
 */
export function sanitizeHtml(text: string, markdown = false): string {
  if (!text.includes('<')) return text;
  const links: string[] = [];
  const input = markdown ? text.replace(AUTOLINK, (link) => `\ue000${links.push(link) - 1}\ue001`) : text;
  if (input.split('<').length > MAX_TAGS) return input.replaceAll('<', '&lt;');
  const fragment = parseFragment(input);
  if (!clean(fragment)) return text;
  return serialize(fragment).replace(/\ue000(\d{1,6})\ue001/g, (mark, index: string) => links[Number(index)] ?? mark);
}

export function safeHtml({ target, unit }: Pair): boolean {
  return sanitizeHtml(target.text, unit.flags.has('md-text')) !== target.text;
}

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** The elements in a text with the names of their attributes; undefined when they are not properly closed. */
export function htmlElements(text: string): string[] | undefined {
  const open: string[] = [];
  const names: string[] = [];
  for (const match of text.matchAll(/<(\/?)([A-Za-z][\w-]{0,60})(?=[\s/>])([^<>]{0,2000}?)(\/?)>/g)) {
    const [, closing, raw, inside, selfClosing] = match as unknown as [string, string, string, string, string];
    const name = raw.toLowerCase();
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
