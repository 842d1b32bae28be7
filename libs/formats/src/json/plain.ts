import { addTexts, Insertions, leaves, leafText } from './nested';
import type { Step } from '../core/nested-keys';
import type { AddChange } from '../format';
import { jsonFormat, rootOf, singleText, type EntryOf, type JsonContext, type JsonParts } from './reader';
import { member, memberText, stepsTo, textLike, type JsonValue, type Node } from './tree';

function readLeaves({ tree, document }: JsonContext): JsonParts[] {
  if (tree.root.type !== 'object' && tree.root.type !== 'array')
    throw document.error('expected an object', tree.root.offset);
  return leaves(tree.root).map((leaf) => ({
    context: leaf.path,
    target: [leafText(leaf, document.text)],
    offset: leaf.owner.offset,
    slots: [leaf.node],
    owners: [leaf.owner],
  }));
}

/** A text, or a number or boolean if the base has one. */
const scalarFrom =
  (entryOf: EntryOf) =>
  (change: AddChange): JsonValue =>
    textLike(entryOf(change)?.unit.slots[0], singleText(change));

/** Position of the string in the base. */
const wayFrom =
  (entryOf: EntryOf) =>
  (change: AddChange): readonly Step[] | undefined => {
    const [owner] = entryOf(change)?.unit.owners ?? [];
    return owner && stepsTo(owner);
  };

/** Keys and values. New keys are placed as in the base, else in the outermost object with literal dots. */
export const json = jsonFormat({
  id: 'json',
  empty: () => new Map(),
  read: readLeaves,
  add: ({ tree }, changes, entryOf) => addTexts(tree, changes, false, scalarFrom(entryOf), wayFrom(entryOf)),
});

/** Like `json`, but dots in new keys are paths unless the base has the key. */
export const jsonNested = jsonFormat({
  id: 'json-nested',
  empty: () => new Map(),
  read: readLeaves,
  add: ({ tree }, changes, entryOf) => addTexts(tree, changes, true, scalarFrom(entryOf), wayFrom(entryOf)),
});

/** Members of the root that are objects with a text in one member and a note in another. */
function readMessages(context: JsonContext, textName: string): JsonParts[] {
  return (rootOf(context, 'object').children ?? []).flatMap((owner): JsonParts[] => {
    const [key, value] = owner.children as [Node, Node];
    const node = value.type === 'string' ? value : member(value, textName);
    if (node?.type !== 'string') return [];
    const note = memberText(value, 'description') ?? '';
    const target = [node.value as string];
    return [{ context: key.value as string, target, offset: owner.offset, note, slots: [node], owners: [owner] }];
  });
}

/** A message with its text and the other properties of the base's entry. */
function message(textName: string, change: AddChange, entryOf: EntryOf): JsonValue {
  const members = entryOf(change)?.value;
  if (members instanceof Map) return members.set(textName, singleText(change));
  const created = new Map<string, JsonValue>([[textName, singleText(change)]]);
  if (change.note) created.set('description', change.note);
  return created;
}

/** `messages.json` of browser extensions. */
export const webextension = jsonFormat({
  id: 'webextension',
  comments: true,
  empty: () => new Map(),
  read: (context) => readMessages(context, 'message'),
  add: ({ tree }, changes, entryOf) =>
    addTexts(tree, changes, false, (c) =>
      typeof entryOf(c)?.value === 'string' ? singleText(c) : message('message', c, entryOf),
    ),
});

/** Messages as FormatJS extracts them (objects) or compiles them (strings). */
export const formatjs = jsonFormat({
  id: 'formatjs',
  empty: () => new Map(),
  read: (context) => readMessages(context, 'defaultMessage'),
  add: ({ tree }, changes, entryOf) => {
    const known = tree.root.children ?? [];
    const isFlat = (change: AddChange): boolean =>
      known.length > 0
        ? known.some((child) => child.children?.[1]?.type === 'string')
        : typeof entryOf(change)?.value === 'string';
    return addTexts(tree, changes, false, (c) => (isFlat(c) ? singleText(c) : message('defaultMessage', c, entryOf)));
  },
});

/** Application resource bundles: `@key` describes `key`, `@@locale` the file. */
export const arb = jsonFormat({
  id: 'arb',
  empty: (options) => new Map([['@@locale', options.language]]),
  read: (context) => {
    const root = rootOf(context, 'object');
    const descriptions = new Map<string, Node>();
    for (const child of root.children ?? []) descriptions.set(child.children?.[0]?.value as string, child);
    return (root.children ?? []).flatMap((owner): JsonParts[] => {
      const [key, value] = owner.children as [Node, Node];
      const name = key.value as string;
      if (name.startsWith('@') || value.type !== 'string') return [];
      const described = descriptions.get(`@${name}`);
      const note = memberText(described?.children?.[1], 'description') ?? '';
      const owners = described ? [owner, described] : [owner];
      return [{ context: name, target: [value.value as string], offset: owner.offset, note, slots: [value], owners }];
    });
  },
  add({ tree }, changes, entryOf) {
    const insertions = new Insertions(tree);
    // Only some tools expect metadata of keys in every language.
    const describes = (tree.root.children ?? []).some(({ children }) => /^@[^@]/.test(String(children?.[0]?.value)));
    for (const change of changes) {
      insertions.addFlat(change.context, singleText(change));
      const described = describes ? entryOf(change)?.described : undefined;
      if (described instanceof Map) insertions.addFlat(`@${change.context}`, described);
    }
    return insertions.edits();
  },
  language: ({ tree }, language) => {
    const node = member(tree.root, '@@locale');
    return node ? tree.setScalar(node, language) : [];
  },
  metadata: ({ tree }) => {
    const targetLanguage = memberText(tree.root, '@@locale');
    return targetLanguage === undefined ? {} : { targetLanguage };
  },
});
