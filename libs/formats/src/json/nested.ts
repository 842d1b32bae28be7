import { printable, type Edit } from '../core/document';
import { FormatError, type AddChange } from '../format';
import { isScalar, scalarText, type JsonTree, type JsonValue, type Node } from './tree';

/** A new key that the file uses for something else: readers of the file would see only one of the two. */
const taken = (key: string) => new FormatError('duplicate', `the file uses "${printable(key)}" for something else`);

/** A scalar of any depth with its path: names joined by dots, places in lists in brackets. */
export interface Leaf {
  path: string;
  /** Path of the object or list around it. */
  parent: string;
  /** Name within its object; '' in a list. */
  name: string;
  node: Node;
  /** Property or item. */
  owner: Node;
}

/** All scalars but null, in file order. */
export function leaves(root: Node): Leaf[] {
  const found: Leaf[] = [];
  const walk = (node: Node, parent: string): void => {
    (node.children ?? []).forEach((child, i) => {
      const value = node.type === 'array' ? child : child.children?.[1];
      if (!value) return;
      const name = node.type === 'array' ? '' : (child.children?.[0]?.value as string);
      const path = node.type === 'array' ? `${parent}[${i}]` : parent === '' ? name : `${parent}.${name}`;
      if (value.type === 'object' || value.type === 'array') walk(value, path);
      else if (isScalar(value)) found.push({ path, parent, name, node: value, owner: child });
    });
  };
  walk(root, '');
  return found;
}

export function leafText(leaf: Leaf, text: string): string {
  return scalarText(leaf.node, text);
}

/** Collects new members by the object that takes them, so that each object is written to once. */
export class Insertions {
  private readonly members = new Map<Node, Map<string, JsonValue>>();
  private readonly items = new Map<Node, JsonValue[]>();
  /** Texts in place of members that have no value yet. */
  private readonly replaced: Edit[] = [];

  constructor(private readonly tree: JsonTree) {}

  /** A member of the root whose name is the whole key. */
  addFlat(key: string, value: JsonValue): void {
    this.addTo(this.tree.root, key, value);
  }

  addTo(object: Node, key: string, value: JsonValue): void {
    if (object.type !== 'object')
      throw new FormatError('unsupported', 'the file is no JSON object that could take keys');
    const there = object.children?.find((child) => child.children?.[0]?.value === key)?.children?.[1];
    if (there) {
      if (there.type !== 'null') throw taken(key);
      this.replaced.push({ start: there.offset, end: there.offset + there.length, text: this.tree.render(value, '') });
      return;
    }
    put(this.membersOf(object), key, value);
  }

  private membersOf(object: Node): Map<string, JsonValue> {
    let members = this.members.get(object);
    if (!members) this.members.set(object, (members = new Map()));
    return members;
  }

  push(array: Node, value: JsonValue): void {
    this.items.set(array, [...(this.items.get(array) ?? []), value]);
  }

  /** A member where its path of names leads, with the objects on the way that do not exist yet. */
  addNested(path: string, value: JsonValue): void {
    const names = path
      .replace(/\[(\d+)\]/g, '.[$1]')
      .split('.')
      .filter((name) => name !== '');
    let object = this.tree.root;
    let rest = names.length > 0 ? names : [path];
    for (let found = descend(object, rest); found; found = descend(object, rest)) ({ object, rest } = found);
    if (object.type === 'array') {
      if (rest.length !== 1) throw new FormatError('unsupported', 'only single strings can be added to a list');
      this.push(object, value);
      return;
    }
    const head = rest[0] as string;
    const known = object.children?.some((child) => child.children?.[0]?.value === head);
    if (known || rest.some((name) => name.startsWith('[')))
      this.addTo(object, rest.join('.').replaceAll('.[', '['), value);
    else this.addDeep(object, rest, value);
  }

  private addDeep(object: Node, names: readonly string[], value: JsonValue): void {
    if (object.type !== 'object')
      throw new FormatError('unsupported', 'the file is no JSON object that could take keys');
    let members = this.membersOf(object);
    for (const [i, name] of names.slice(0, -1).entries()) {
      const next: JsonValue | undefined = members.get(name);
      if (typeof next === 'string' || Array.isArray(next)) {
        put(members, names.slice(i).join('.'), value);
        return;
      }
      const inner: Map<string, JsonValue> = next ?? new Map<string, JsonValue>();
      members.set(name, inner);
      members = inner;
    }
    put(members, names.at(-1) as string, value);
  }

  edits(): Edit[] {
    return [
      ...[...this.members].flatMap(([object, members]) => this.tree.insert(object, members)),
      ...[...this.items].flatMap(([array, items]) => this.tree.append(array, items)),
      ...this.replaced,
    ];
  }
}

function put(members: Map<string, JsonValue>, key: string, value: JsonValue): void {
  if (members.has(key)) throw taken(key);
  members.set(key, value);
}

/** One step along a path into an existing object or list; names that contain dots are tried too, longest first. */
function descend(object: Node, names: readonly string[]): { object: Node; rest: string[] } | undefined {
  if (names.length < 2) return undefined;
  for (let count = names.length - 1; count > 0; count--) {
    const name = names.slice(0, count).join('.');
    const index = /^\[(\d+)\]$/.exec(name)?.[1];
    const value =
      object.type === 'array'
        ? object.children?.[Number(index ?? -1)]
        : object.children?.find((child) => child.children?.[0]?.value === name)?.children?.[1];
    if (value && (value.type === 'object' || value.type === 'array'))
      return { object: value, rest: names.slice(count) };
  }
  return undefined;
}

/** Adds strings without plural forms, by flat keys or by paths. */
export function addTexts(
  tree: JsonTree,
  changes: readonly AddChange[],
  nested: boolean,
  value: (change: AddChange) => JsonValue,
): Edit[] {
  const insertions = new Insertions(tree);
  for (const change of changes) {
    if (nested) insertions.addNested(change.context, value(change));
    else insertions.addFlat(change.context, value(change));
  }
  return insertions.edits();
}
