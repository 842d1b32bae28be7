import { CATEGORIES, formsToTarget, targetCategories } from '../core/plural-categories';
import type { Edit } from '../core/document';
import { listOf, Literal, NestedKeys, type ContainerView, type NestedValue } from '../core/nested-keys';
import { FormatError, type AddChange, type FileFormat } from '../format';
import {
  appendChildren,
  newElement,
  xmlFormat,
  type XmlBase,
  type XmlContext,
  type XmlParts,
  type XmlSlot,
  type XmlUnit,
} from '../xml/reader';
import { elements, isMarkup, type XmlElement, type XmlNode } from '../xml/tree';
import { decodeAndroid, encodeAndroid, quoteAndroid } from './text';

const EMPTY = '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n</resources>\n';

/** Properties of the variants of Android's format. */
interface Variant {
  id: string;
  /** Element of a plural. */
  plurals: string;
  /** `<item type="string">` elements are strings too. */
  items: boolean;
  /** Compose resources have no quoting and no escaped apostrophes. */
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

/** Inserts each new form in CLDR order. */
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
  let line = 0;
  for (const child of tree.root.children) {
    if (child.kind === 'comment') comments.push(child);
    if (child.kind !== 'element') continue;
    const nearby =
      comments.length === 0
        ? comments
        : comments.filter(
            (comment, i) =>
              // A trailing comment belongs to its element.
              (comment.start >= line || child.start < line) && isNear(document.text, comment, comments[i + 1] ?? child),
          );
    const note = nearby.map(({ start, end }) => tree.commentText({ kind: 'comment', start, end })).join('\n');
    comments = [];
    line = document.lineEnd(child.end);
    for (const parts of readElement(context, child, note, nearby, variant)) found.push(parts);
  }
  return found;
}

/** A comment belongs to the element after it unless a blank line separates them. */
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
  const isItem = variant.items && element.name === 'item' && element.attributes['type'] === 'string';
  if (element.name === 'string' || isItem) {
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

/** View of a file for the insertion of new names: its arrays, which are filled item by item. */
const view = (root: XmlElement): ContainerView<XmlElement> => ({
  root,
  isList: (element) => element !== root,
  members: (element) => {
    if (element !== root) return elements(element, 'item').map((_, i) => [i, 'taken']);
    return elements(root, 'string-array').map((list) => [
      list.attributes['name'] ?? '',
      elements(list, 'item').length === 0 ? 'gap' : list,
    ]);
  },
});

/** A new element of the root with the indentation of its children and closing tag. */
type NewEntry = (outer: string, inner: string) => string;

function isSingle({ target, source }: AddChange): boolean {
  return target.length === 1 && source.length < 2;
}

/** The opening tag of a new element: that of the base with its attributes, or one without. */
function openTag(base: XmlBase | undefined, element: XmlNode | undefined, defaultTag: string): string {
  if (!base || element?.kind !== 'element') return `<${defaultTag}>`;
  const tag = base.tree.document.text.slice(element.start, element.openEnd);
  const inner = tag.slice(0, tag.endsWith('/>') ? -2 : -1).trimEnd();
  return `${inner}>`.replace(/\r\n?|\n/g, ' ');
}

function newEntry(context: XmlContext, change: AddChange, base: XmlBase | undefined, variant: Variant): NewEntry {
  const name = ` name="${context.tree.escapeAttribute(change.context)}"`;
  const unit = base?.entryOf(change);
  const slots = unit?.slots ?? [];
  const element = unit?.owners.at(-1);
  const written = change.target.map((text, i) => {
    const baseSlot = slots[i] ?? slots.find((found) => found);
    return baseSlot
      ? baseSlot.write(text).replace(/\r\n?|\n/g, context.document.eol)
      : encode(context, text, '', false, variant);
  });
  if (isSingle(change) && !unit?.plural) {
    const text = written[0] as string;
    if (element?.kind !== 'element') return () => newElement(context, 'string', name, text);
    const attributes = openTag(base, element, '').slice(element.name.length + 1, -1);
    return () => newElement(context, element.name, attributes, text);
  }
  const categories = targetCategories(change.target.length, [], context.options.plural);
  const items = written.map((text, i) => newElement(context, 'item', ` quantity="${categories[i] as string}"`, text));
  const open = openTag(base, element, variant.plurals + name);
  return (outer, inner) => `${open}${items.map((item) => inner + item).join('')}${outer}</${variant.plurals}>`;
}

function add(context: XmlContext, changes: readonly AddChange[], base: XmlBase | undefined, variant: Variant): Edit[] {
  const { tree, document } = context;
  const { root } = tree;
  const keys = new NestedKeys(view(root), 'items');
  const lists = new Map<string, { note: string | undefined; unit: XmlUnit | undefined }>();
  const entries: { note: string | undefined; entry: NewEntry }[] = [];
  for (const change of changes) {
    const list = isSingle(change) ? listOf(change.context) : undefined;
    if (list === undefined) entries.push({ note: change.note, entry: newEntry(context, change, base, variant) });
    else {
      const [text] = change.target as [string];
      const unit = base?.entryOf(change);
      const copied = unit?.slots[0]?.write(text).replace(/\r\n?|\n/g, document.eol);
      keys.add(change.context, copied === undefined ? text : new Literal(copied));
      const known = lists.get(list);
      lists.set(list, { note: known?.note || change.note, unit: known?.unit ?? unit });
    }
  }
  const item = (text: NestedValue): string => {
    if (text instanceof Literal) return newElement(context, 'item', '', text.text);
    return newElement(context, 'item', '', encode(context, typeof text === 'string' ? text : '', '', false, variant));
  };
  const edits: Edit[] = [];
  for (const { container, members, items, fills } of keys.plan().insertions) {
    if (items.length > 0) edits.push(...appendChildren(tree, container, () => items.map(item)));
    for (const [name, values] of fills) {
      const list = elements(root, 'string-array').findLast((element) => element.attributes['name'] === name);
      edits.push(...appendChildren(tree, list as XmlElement, () => (values as NestedValue[]).map(item)));
    }
    for (const [name, values] of members) {
      const list = lists.get(name);
      const whole = list?.unit?.group?.owners.at(-1);
      const open = openTag(base, whole, `string-array name="${tree.escapeAttribute(name)}"`);
      const entry: NewEntry = (outer, inner) =>
        `${open}${(values as NestedValue[]).map((value) => inner + item(value)).join('')}${outer}</string-array>`;
      entries.push({ note: list?.note, entry });
    }
  }
  if (entries.length === 0) return edits;
  const render = (indent: string, unit: string): string[] =>
    entries.map(({ note, entry }) => {
      const comment = note ? `<!-- ${note.replaceAll('--', '- -')} -->${document.eol}${indent}` : '';
      const outer = unit === '' ? '' : document.eol + indent;
      return comment + entry(outer, unit === '' ? '' : outer + unit);
    });
  return [...edits, ...appendChildren(tree, root, render)];
}

function androidFormat(variant: Variant): FileFormat {
  return xmlFormat({
    id: variant.id,
    monolingual: true,
    empty: () => EMPTY,
    dropOnCreate: true,
    read: (context) => read(context, variant),
    add(context, changes, base) {
      const invalid = changes.find((change) =>
        /[\s"'<>&[\]]/.test((isSingle(change) && listOf(change.context)) || change.context),
      );
      if (invalid)
        throw new FormatError('invalid-change', 'a resource name cannot hold blanks, quotes, brackets or markup');
      return add(context, changes, base, variant);
    },
  });
}

/** Android string resources. */
export const aresource = androidFormat({ id: 'aresource', plurals: 'plurals', items: true, compose: false });

/** Moko resources: plural elements have the singular name. */
export const mokoResource = androidFormat({ id: 'moko-resource', plurals: 'plural', items: false, compose: false });

/** Compose Multiplatform: quotes and blanks are literal. */
export const cmpResource = androidFormat({ id: 'cmp-resource', plurals: 'plurals', items: false, compose: true });
