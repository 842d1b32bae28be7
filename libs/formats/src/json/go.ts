import { CATEGORIES, targetCategories } from '../core/plural-categories';
import type { AddChange } from '../format';
import { Insertions } from './nested';
import { jsonFormat, rootOf, type JsonContext, type JsonParts } from './reader';
import { member, memberText, type JsonValue, type Node } from './tree';

/** Slots of an object with one member per CLDR category. */
function categoryParts(context: JsonContext, object: Node): Pick<JsonParts, 'target' | 'plural' | 'slots' | 'grow'> {
  const forms = (object.children ?? []).flatMap((property) => {
    const [key, value] = property.children as [Node, Node];
    const node = value.type === 'object' ? member(value, 'msg') : value;
    if (!CATEGORIES.includes(key.value as string) || node?.type !== 'string') return [];
    return [{ category: key.value as string, node, wrapped: value.type === 'object' }];
  });
  const { plural } = context.options;
  const names = plural?.names ?? forms.map((form) => form.category);
  const slots = names.map((name, i) => (plural?.names ? forms.find((f) => f.category === name)?.node : forms[i]?.node));
  return {
    target: slots.map((node) => (node?.value as string | undefined) ?? ''),
    plural: true,
    slots,
    grow: (missing) => {
      const count = Math.max(...missing.map(([i]) => i)) + 1;
      const categories = targetCategories(Math.max(count, names.length), forms, plural);
      const wrapped = forms.some((form) => form.wrapped);
      const value = (text: string): JsonValue => (wrapped ? new Map([['msg', text]]) : text);
      return context.tree.insert(object, new Map(missing.map(([i, text]) => [categories[i] as string, value(text)])));
    },
  };
}

function categoryValue(context: JsonContext, change: AddChange): Map<string, JsonValue> {
  const names = targetCategories(change.target.length, [], context.options.plural);
  return new Map(change.target.map((text, i) => [names[i] as string, text]));
}

/** The base's entry with the forms of a new plural instead of its own. */
function withForms(base: JsonValue | undefined, forms: ReadonlyMap<string, JsonValue>): Map<string, JsonValue> {
  const members = base instanceof Map ? [...base] : [];
  const first = members.findIndex(([name]) => CATEGORIES.includes(name));
  const at = first < 0 ? members.length : first;
  const wrapped = members[first]?.[1] instanceof Map;
  const written = [...forms].map(([name, text]): [string, JsonValue] => [
    name,
    wrapped ? new Map([['msg', text]]) : text,
  ]);
  const others = members.filter(([name]) => !CATEGORIES.includes(name));
  return new Map([...others.slice(0, at), ...written, ...others.slice(at)]);
}

export function isPlural(change: AddChange): boolean {
  return change.target.length > 1 || change.source.length > 1;
}

/** go-i18n 1: a list of `{"id", "translation"}`. */
export const goI18n = jsonFormat({
  id: 'go-i18n-json',
  empty: () => [],
  read: (context) =>
    (rootOf(context, 'array').children ?? []).flatMap((owner): JsonParts[] => {
      const id = memberText(owner, 'id');
      const node = member(owner, 'translation');
      if (id === undefined || !node) return [];
      const note = memberText(owner, 'description') ?? '';
      // Two object literals: spreading the common properties takes several times as long.
      const { offset } = owner;
      if (node.type === 'object')
        return [Object.assign(categoryParts(context, node), { context: id, offset, note, owners: [owner] })];
      if (node.type !== 'string') return [];
      return [{ context: id, offset, note, owners: [owner], target: [node.value as string], slots: [node] }];
    }),
  add(context, changes, entryOf) {
    const items = changes.map((change) => {
      const entry = entryOf(change);
      const plural = isPlural(change) || entry?.unit.plural === true;
      const translation = plural ? categoryValue(context, change) : (change.target[0] as string);
      if (entry?.value instanceof Map) return entry.value.set('translation', translation);
      return new Map<string, JsonValue>([
        ['id', change.context],
        ...(change.note ? [['description', change.note] as const] : []),
        ['translation', translation],
      ]);
    });
    return context.tree.append(rootOf(context, 'array'), items);
  },
});

/** go-i18n 2: each key has a text, or an object with plural forms and metadata. */
export const goI18nV2 = jsonFormat({
  id: 'go-i18n-json-v2',
  empty: () => new Map(),
  read: (context) =>
    (rootOf(context, 'object').children ?? []).flatMap((owner): JsonParts[] => {
      const [key, value] = owner.children as [Node, Node];
      const { offset } = owner;
      const id = key.value as string;
      if (value.type === 'string')
        return [{ context: id, offset, owners: [owner], target: [value.value as string], slots: [value] }];
      if (value.type !== 'object') return [];
      const parts = categoryParts(context, value);
      if (!parts.slots.some(Boolean)) return [];
      const note = memberText(value, 'description') ?? '';
      return [Object.assign(parts, { context: id, offset, note, owners: [owner] })];
    }),
  add(context, changes, entryOf) {
    const insertions = new Insertions(context.tree);
    for (const change of changes) {
      const entry = entryOf(change);
      const object = isPlural(change) || entry?.value instanceof Map;
      const value = object ? withForms(entry?.value, categoryValue(context, change)) : (change.target[0] as string);
      if (change.note && value instanceof Map && !entry) value.set('description', change.note);
      insertions.addFlat(change.context, value);
    }
    return insertions.edits();
  },
});

/** A gotext plural. The base's entry names the counting argument. */
function selection(context: JsonContext, change: AddChange, base: JsonValue | undefined): JsonValue {
  const known = base instanceof Map ? base.get('select') : undefined;
  const defaults: [string, JsonValue][] = [
    ['feature', 'plural'],
    ['arg', 'N'],
  ];
  const select = known instanceof Map ? known : new Map(defaults);
  return new Map([['select', select.set('cases', withForms(select.get('cases'), categoryValue(context, change)))]]);
}

/** golang.org/x/text: `{"language", "messages": [{"id", "message", "translation"}]}`. */
export const gotext = jsonFormat({
  id: 'gotext',
  empty: (options) =>
    new Map<string, JsonValue>([
      ['language', options.language],
      ['messages', []],
    ]),
  read(context) {
    const list = member(rootOf(context, 'object'), 'messages');
    return (list?.children ?? []).flatMap((owner): JsonParts[] => {
      const idNode = member(owner, 'id');
      const id =
        idNode?.type === 'array' ? (idNode.children ?? []).map((n) => String(n.value)).join(', ') : idNode?.value;
      if (owner.type !== 'object' || typeof id !== 'string') return [];
      const message = memberText(owner, 'message');
      const source = context.options.monolingual || message === undefined ? [id] : [message];
      const note = memberText(owner, 'translatorComment') ?? memberText(owner, 'comment') ?? '';
      const common = { context: id, source, note, offset: owner.offset, owners: [owner] };
      const node = member(owner, 'translation');
      const cases = member(member(node, 'select'), 'cases');
      if (cases) return [{ ...common, ...categoryParts(context, cases) }];
      if (node && node.type !== 'string') return [];
      const grow: JsonParts['grow'] = (missing) =>
        context.tree.insert(owner, new Map([['translation', missing[0]?.[1] ?? '']]));
      return [{ ...common, target: [(node?.value as string | undefined) ?? ''], slots: [node], grow }];
    });
  },
  add(context, changes, entryOf) {
    const list = member(rootOf(context, 'object'), 'messages');
    if (list && list.type !== 'array')
      throw context.document.error('the file has no list of messages', 0, 'unsupported');
    const items = changes.map((change) => {
      const entry = entryOf(change);
      if (!(entry?.value instanceof Map))
        return new Map<string, JsonValue>([
          ['id', change.context],
          ['message', change.source[0] ?? change.context],
          ['translation', isPlural(change) ? selection(context, change, undefined) : (change.target[0] as string)],
        ]);
      const { value, unit } = entry;
      const plural = isPlural(change) || unit.plural;
      // Written by the extractor if it copied the source as translation.
      if (value.delete('fuzzy')) value.delete('translatorComment');
      const translation = plural ? selection(context, change, value.get('translation')) : (change.target[0] as string);
      return value.set('translation', translation);
    });
    return list
      ? context.tree.append(list, items)
      : context.tree.insert(context.tree.root, new Map([['messages', items]]));
  },
  language({ tree }, language) {
    const node = member(tree.root, 'language');
    return node ? tree.setScalar(node, language) : [];
  },
  metadata({ tree }) {
    const targetLanguage = memberText(tree.root, 'language');
    return targetLanguage === undefined ? {} : { targetLanguage };
  },
});
