import { CATEGORIES, formsToTarget, targetCategories } from '../core/plural-categories';
import { FormatError, type AddChange, type FileFormat } from '../format';
import { appendChildren, newElement, xmlFormat, type XmlContext, type XmlParts, type XmlSlot } from '../xml/reader';
import { elements, isMarkup, type XmlElement, type XmlNode } from '../xml/tree';
import { decodeAndroid, encodeAndroid, quoteAndroid } from './text';

const EMPTY = '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n</resources>\n';

/** How the variants of Android's format write plurals and texts. */
interface Variant {
  id: string;
  /** Element of a plural. */
  plurals: string;
  /** Compose resources know no quoting by apostrophes, quotes and blanks. */
  compose: boolean;
}

function decode(context: XmlContext, element: XmlElement, variant: Variant): string {
  const raw = context.tree.inner(element).replaceAll('\r\n', '\n');
  return variant.compose ? decodeCompose(context, element, raw) : decodeAndroid(raw);
}

function decodeCompose({ tree }: XmlContext, element: XmlElement, raw: string): string {
  const text = element.children.length > 0 ? raw : tree.decode(raw);
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([nt\\@?]))/g, (_, hex: string | undefined, char: string) =>
    hex !== undefined ? String.fromCharCode(parseInt(hex, 16)) : char === 'n' ? '\n' : char === 't' ? '\t' : char,
  );
}

function encode({ tree }: XmlContext, text: string, raw: string, hadMarkup: boolean, variant: Variant): string {
  const markup = (hadMarkup || !raw.includes('&lt;')) && isMarkup(text, tree.entities);
  const quoted = !variant.compose && !markup && /^"(?:[^"\\<]|\\[^])*"$/.test(raw);
  if (quoted) return tree.escape(quoteAndroid(text), raw);
  const bare = variant.compose
    ? text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\u000d')
    : encodeAndroid(text, markup);
  return markup ? bare : tree.escape(bare, raw);
}

function slot(context: XmlContext, element: XmlElement, variant: Variant): XmlSlot {
  const raw = context.tree.inner(element);
  const hadMarkup = element.children.some((child) => child.kind === 'element' || child.kind === 'cdata');
  return { element, write: (text) => encode(context, text, raw, hadMarkup, variant) };
}

function pluralParts(
  context: XmlContext,
  element: XmlElement,
  variant: Variant,
): Pick<XmlParts, 'target' | 'slots' | 'grow' | 'plural'> {
  const { plural } = context.options;
  const forms = elements(element, 'item').map((item) => ({
    category: item.attributes['quantity'] ?? 'other',
    text: decode(context, item, variant),
    slot: slot(context, item, variant),
  }));
  const names = plural?.names;
  return {
    plural: true,
    target: formsToTarget(forms, plural),
    slots: names ? names.map((name) => forms.find((f) => f.category === name)?.slot) : forms.map((f) => f.slot),
    grow: (missing) => {
      const count = Math.max(...missing.map(([i]) => i)) + 1;
      const categories = targetCategories(Math.max(count, names?.length ?? forms.length), forms, plural);
      return insertForms(
        context,
        element,
        missing.map(([i, text]) => [categories[i] as string, text]),
        variant,
      );
    },
  };
}

/** Each new form goes before the first one that comes later in CLDR order. */
function insertForms(
  context: XmlContext,
  element: XmlElement,
  forms: readonly (readonly [string, string])[],
  variant: Variant,
) {
  const { tree, document } = context;
  const items = elements(element, 'item');
  const rank = (category: string | undefined): number => CATEGORIES.indexOf(category ?? 'other');
  const rendered = (category: string, text: string): string =>
    newElement(context, 'item', ` quantity="${category}"`, encode(context, text, '', false, variant));
  const rest: (readonly [string, string])[] = [];
  const edits = [...forms]
    .sort(([a], [b]) => rank(a) - rank(b))
    .flatMap(([category, text]) => {
      const next = items.find((item) => rank(item.attributes['quantity']) > rank(category));
      if (!next) {
        rest.push([category, text]);
        return [];
      }
      const indent = tree.indentOf(next.start);
      const gap = indent === undefined ? '' : document.eol + indent;
      return [{ start: next.start, end: next.start, text: rendered(category, text) + gap }];
    });
  if (rest.length === 0) return edits;
  return [...edits, ...appendChildren(tree, element, () => rest.map(([category, text]) => rendered(category, text)))];
}

function read(context: XmlContext, variant: Variant): XmlParts[] {
  const { tree, document } = context;
  if (tree.root.local !== 'resources') throw document.error('expected the element resources', tree.root.start);
  const found: XmlParts[] = [];
  let comments: XmlNode[] = [];
  for (const child of tree.root.children) {
    if (child.kind === 'comment') comments.push(child);
    if (child.kind !== 'element') continue;
    const near =
      comments.length === 0
        ? comments
        : comments.filter((comment, i) => isNear(document.text, comment, comments[i + 1] ?? child));
    const note = near.map(({ start, end }) => tree.commentText({ kind: 'comment', start, end })).join('\n');
    comments = [];
    for (const parts of readElement(context, child, note, near, variant)) found.push(parts);
  }
  return found;
}

/** A comment belongs to what follows it without a blank line between. */
function isNear(text: string, comment: XmlNode, next: XmlNode): boolean {
  return !/\n[ \t]*\r?\n/.test(text.slice(comment.end, next.start));
}

function readElement(
  context: XmlContext,
  element: XmlElement,
  note: string,
  notes: readonly XmlNode[],
  variant: Variant,
): XmlParts[] {
  const name = element.attributes['name'];
  if (name === undefined) return [];
  const state = element.attributes['translatable'] === 'false' ? 'readonly' : undefined;
  const offset = element.start;
  if (element.name === 'string') {
    const target = [decode(context, element, variant)];
    const slots = [slot(context, element, variant)];
    return [{ context: name, target, offset, note, state, slots, owners: [...notes, element] }];
  }
  if (element.name === variant.plurals) {
    const parts = pluralParts(context, element, variant);
    return [{ ...parts, context: name, offset, note, state, owners: [...notes, element] }];
  }
  if (element.name !== 'string-array') return [];
  const items = elements(element, 'item');
  const group = { size: items.length, owners: [...notes, element] };
  return items.map((item, i) => ({
    context: `${name}[${i}]`,
    target: [decode(context, item, variant)],
    offset: item.start,
    note,
    state,
    slots: [slot(context, item, variant)],
    owners: [item],
    group,
  }));
}

function add(context: XmlContext, changes: readonly AddChange[], variant: Variant) {
  const { tree, document } = context;
  return appendChildren(tree, tree.root, (indent, unit) =>
    changes.map((change) => {
      const name = tree.escapeAttribute(change.context);
      const comment = change.note ? `<!-- ${change.note.replaceAll('--', '- -')} -->${document.eol}${indent}` : '';
      if (change.target.length === 1 && change.source.length < 2) {
        const text = encode(context, change.target[0] as string, '', false, variant);
        return comment + newElement(context, 'string', ` name="${name}"`, text);
      }
      const categories = targetCategories(change.target.length, [], context.options.plural);
      const gap = unit === '' ? '' : document.eol + indent;
      const items = change.target.map((text, i) => {
        const attributes = ` quantity="${categories[i] as string}"`;
        return gap + unit + newElement(context, 'item', attributes, encode(context, text, '', false, variant));
      });
      return `${comment}<${variant.plurals} name="${name}">${items.join('')}${gap}</${variant.plurals}>`;
    }),
  );
}

function androidFormat(variant: Variant): FileFormat {
  return xmlFormat({
    id: variant.id,
    monolingual: true,
    empty: () => EMPTY,
    dropOnCreate: true,
    read: (context) => read(context, variant),
    add(context, changes) {
      const odd = changes.find((change) => /[\s"'<>&]/.test(change.context));
      if (odd) throw new FormatError('invalid-change', 'a resource name cannot hold blanks, quotes or markup');
      return add(context, changes, variant);
    },
  });
}

/** Android string resources. */
export const aresource = androidFormat({ id: 'aresource', plurals: 'plurals', compose: false });

/** The same for moko-resources, where a plural's element has the singular name. */
export const mokoResource = androidFormat({ id: 'moko-resource', plurals: 'plural', compose: false });

/** The same for Compose Multiplatform, which reads quotes and blanks as they stand. */
export const cmpResource = androidFormat({ id: 'cmp-resource', plurals: 'plurals', compose: true });
