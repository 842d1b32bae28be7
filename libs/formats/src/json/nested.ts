import type { Edit } from '../core/document';
import { NestedKeys, type ContainerView, type StepContent, type Step } from '../core/nested-keys';
import { FormatError, type AddChange } from '../format';
import { isScalar, member, scalarText, type JsonTree, type JsonValue, type Node } from './tree';

/** A scalar with its path: names joined by dots, list indexes in brackets. */
export interface Leaf {
  path: string;
  /** Path of its container. */
  parent: string;
  /** Name in its object; '' in a list. */
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

/** View of an object or list for the insertion of new keys. */
function contentOf(node: Node | undefined): StepContent<Node> {
  if (node?.type === 'null') return 'gap';
  if (node?.type !== 'object' && node?.type !== 'array') return 'taken';
  return node.children?.length === 0 ? 'gap' : node;
}

/** The value of a member or of an item. */
function valueAt(container: Node, step: Step): Node | undefined {
  return typeof step === 'number' ? container.children?.[step] : member(container, step);
}

const view = (root: Node): ContainerView<Node> => ({
  root: contentOf(root),
  isList: (node) => node.type === 'array',
  members: (node) =>
    (node.children ?? []).map((child, i) =>
      node.type === 'array'
        ? [i, contentOf(child)]
        : [child.children?.[0]?.value as string, contentOf(child.children?.[1])],
    ),
});

/** Groups new members by object, so that each object is edited once. */
export class Insertions {
  private readonly flat = new Map<Node, NestedKeys<Node>>();
  private readonly nested: NestedKeys<Node>;

  constructor(private readonly tree: JsonTree) {
    this.nested = new NestedKeys(view(tree.root), 'dots');
  }

  /** A member of the root whose name is the whole key. */
  addFlat(key: string, value: JsonValue): void {
    this.addTo(this.tree.root, key, value);
  }

  addTo(object: Node, key: string, value: JsonValue): void {
    if (object.type !== 'object')
      throw new FormatError('unsupported', 'the file is no JSON object that could take keys');
    let members = this.flat.get(object);
    if (!members) this.flat.set(object, (members = new NestedKeys(view(object), 'flat')));
    members.add(key, value);
  }

  /** Adds a member or item at its position in the base, else at its path, and creates missing containers. */
  addNested(path: string, value: JsonValue, steps?: readonly Step[]): void {
    this.nested.add(path, value, steps);
  }

  edits(): Edit[] {
    return [
      ...[...this.flat].flatMap(([object, keys]) => this.write(object, keys)),
      ...this.write(this.tree.root, this.nested),
    ];
  }

  private write(root: Node, keys: NestedKeys<Node>): Edit[] {
    const { tree } = this;
    const { whole, insertions } = keys.plan();
    return [
      ...(whole === undefined ? [] : tree.fill(root, whole)),
      ...insertions.flatMap(({ container, members, items, fills }) => [
        ...(members.size > 0 ? tree.insert(container, members) : []),
        ...(items.length > 0 ? tree.append(container, items) : []),
        ...[...fills].flatMap(([step, value]) => tree.fill(valueAt(container, step) as Node, value)),
      ]),
    ];
  }
}

/** Adds strings without plural forms at their position in the base, else by flat keys or paths. */
export function addTexts(
  tree: JsonTree,
  changes: readonly AddChange[],
  nested: boolean,
  value: (change: AddChange) => JsonValue,
  stepsOf: (change: AddChange) => readonly Step[] | undefined = () => undefined,
): Edit[] {
  const insertions = new Insertions(tree);
  for (const change of changes) {
    const steps = stepsOf(change);
    if (nested || (steps && steps.length > 1)) insertions.addNested(change.context, value(change), steps);
    else insertions.addFlat(change.context, value(change));
  }
  return insertions.edits();
}
