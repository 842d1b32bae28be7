import { addTexts, leaves, leafText } from './nested';
import { jsonFormat, rootOf, singleText, type JsonContext, type JsonParts } from './reader';
import { member, memberText, type JsonValue, type Node } from './tree';

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

/** Keys and values; new keys go to the outermost object whatever dots they hold. */
export const json = jsonFormat({
  id: 'json',
  empty: () => new Map(),
  read: readLeaves,
  add: ({ tree }, changes) => addTexts(tree, changes, false, singleText),
});

/** The same with new keys put where their dots lead. */
export const jsonNested = jsonFormat({
  id: 'json-nested',
  empty: () => new Map(),
  read: readLeaves,
  add: ({ tree }, changes) => addTexts(tree, changes, true, singleText),
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

function message(textName: string, text: string, note: string | undefined): JsonValue {
  const members = new Map<string, JsonValue>([[textName, text]]);
  if (note) members.set('description', note);
  return members;
}

/** `messages.json` of browser extensions. */
export const webextension = jsonFormat({
  id: 'webextension',
  comments: true,
  empty: () => new Map(),
  read: (context) => readMessages(context, 'message'),
  add: ({ tree }, changes) => addTexts(tree, changes, false, (c) => message('message', singleText(c), c.note)),
});

/** Messages as FormatJS extracts them (objects) or compiles them (strings). */
export const formatjs = jsonFormat({
  id: 'formatjs',
  empty: () => new Map(),
  read: (context) => readMessages(context, 'defaultMessage'),
  add: ({ tree }, changes) => {
    const flat = tree.root.children?.some((child) => child.children?.[1]?.type === 'string') ?? false;
    return addTexts(tree, changes, false, (c) =>
      flat ? singleText(c) : message('defaultMessage', singleText(c), c.note),
    );
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
  add: ({ tree }, changes) => addTexts(tree, changes, false, singleText),
  language: ({ tree }, language) => {
    const node = member(tree.root, '@@locale');
    return node ? tree.setScalar(node, language) : [];
  },
  metadata: ({ tree }) => {
    const targetLanguage = memberText(tree.root, '@@locale');
    return targetLanguage === undefined ? {} : { targetLanguage };
  },
});
