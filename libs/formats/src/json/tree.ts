import { TextDocument, type Edit } from '../core/document';
import { Literal, type NestedValue, type Step } from '../core/nested-keys';
import type { FormatParams } from '../format';
import { JsonParser, type Node } from './parse';

export type { Node } from './parse';

/** A value to write. A Map is an ordered object. */
export type JsonValue = NestedValue;

/** Nesting limit of the recursive parser, independent of `Limits`. */
const MAX_DEPTH = 500;

/** A parsed JSON document. Computes edits in the style of the file. */
export class JsonTree {
  readonly root: Node;
  private readonly text: string;
  private readonly escapeUnicode: boolean;
  private readonly escapeSlash: boolean;
  private readonly indentUnit: string;
  private readonly colon: string;

  constructor(
    private readonly document: TextDocument,
    private readonly params: FormatParams = {},
    comments = false,
  ) {
    this.text = document.text;
    this.root = new JsonParser(document, Math.min(document.limits.maxDepth, MAX_DEPTH), comments).parse();
    this.escapeUnicode =
      /\\u(?:00[89a-fA-F]|0[1-9a-fA-F]|[1-9a-fA-F])/.test(this.text) && /^[\x00-\x7F]*$/.test(this.text);
    this.escapeSlash = /[^\\](?:\\\\)*\\\//.test(this.text);
    this.indentUnit = this.detectIndent();
    this.colon = this.detectColon();
  }

  private detectIndent(): string {
    const match = /^[ \t]*[[{][ \t]*\r?\n([ \t]+)\S/.exec(this.text);
    if (match) return match[1] as string;
    const count = Math.min(Math.max(this.params.json_indent ?? 4, 0), 32);
    return (this.params.json_indent_style === 'tabs' ? '\t' : ' ').repeat(count);
  }

  private detectColon(): string {
    const property = firstProperty(this.root);
    const [key, value] = property?.children ?? [];
    const between = key && value ? this.text.slice(key.offset + key.length, value.offset) : '';
    if (/^[ \t]*:[ \t]*$/.test(between)) return between;
    return this.params.json_use_compact_separators ? ':' : ': ';
  }

  /** Encodes a string literal with the escapes that the file uses. */
  quote(text: string): string {
    let quoted = JSON.stringify(text);
    if (this.escapeSlash) quoted = quoted.replaceAll('/', '\\/');
    if (!this.escapeUnicode) return quoted;
    return quoted.replace(/[^\x00-\x7F]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }

  /** Replaces a scalar. Numbers and booleans keep their type if the new text has it. */
  setScalar(node: Node, text: string): Edit[] {
    if (scalarText(node, this.text) === text) return [];
    return [{ start: node.offset, end: node.offset + node.length, text: this.render(textLike(node, text), '') }];
  }

  /** Adds members at the end of an object, or in sorted order with `json_sort_keys`. */
  insert(object: Node, members: ReadonlyMap<string, JsonValue>): Edit[] {
    const children = object.children ?? [];
    if (this.params.json_sort_keys && object.type === 'object' && children.length > 0) {
      return this.insertSorted(object, members);
    }
    return this.insertAt(object, children.length, (indent) => this.members(members, indent));
  }

  /** Rendered members, sorted by key with `json_sort_keys`. */
  private members(members: ReadonlyMap<string, JsonValue>, indent: string): string[] {
    const ordered = this.params.json_sort_keys ? [...members].sort(([a], [b]) => (a < b ? -1 : 1)) : [...members];
    return ordered.map(([key, value]) => this.quote(key) + this.colon + this.render(value, indent));
  }

  append(array: Node, items: readonly JsonValue[]): Edit[] {
    const render = (indent: string): string[] => items.map((item) => this.render(item, indent));
    return this.insertAt(array, array.children?.length ?? 0, render);
  }

  /** Replaces a null or an empty object or list by a value. */
  fill(node: Node, value: JsonValue): Edit[] {
    if (node.type === 'object' && value instanceof Map) return this.insert(node, value);
    if (node.type === 'array' && Array.isArray(value)) return this.append(node, value);
    const text = this.render(value, this.lineIndent(node.offset));
    return [{ start: node.offset, end: node.offset + node.length, text }];
  }

  private insertSorted(object: Node, members: ReadonlyMap<string, JsonValue>): Edit[] {
    const keys = (object.children ?? []).map((child) => child.children?.[0]?.value as string);
    const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
    const groups = new Map<number, [string, JsonValue][]>();
    for (const member of sorted) {
      const before = keys.findIndex((key) => key > member[0]);
      const at = before < 0 ? keys.length : before;
      groups.set(at, [...(groups.get(at) ?? []), member]);
    }
    return [...groups].flatMap(([at, group]) =>
      this.insertAt(object, at, (indent) => this.members(new Map(group), indent)),
    );
  }

  private insertAt(container: Node, index: number, render: (indent: string) => string[]): Edit[] {
    const children = container.children ?? [];
    const { eol } = this.document;
    if (children.length === 0) {
      const start = container.offset + 1;
      const end = container.offset + container.length - 1;
      if (this.indentUnit === '') return [{ start, end, text: render('').join(',') }];
      const outer = this.lineIndent(container.offset);
      const indent = outer + this.indentUnit;
      return [
        {
          start,
          end,
          text:
            eol +
            render(indent)
              .map((item) => indent + item)
              .join(`,${eol}`) +
            eol +
            outer,
        },
      ];
    }
    const sample = children[Math.min(index, children.length - 1)] as Node;
    const before = this.text.slice(0, sample.offset);
    const gap = before.slice(before.trimEnd().length);
    const broken = gap.includes('\n');
    const indent = broken ? gap.slice(gap.lastIndexOf('\n') + 1) : this.lineIndent(sample.offset);
    const separator = broken ? `,${eol}${indent}` : this.inlineSeparator(children);
    const items = render(indent);
    const next = children[index];
    if (next) return [{ start: next.offset, end: next.offset, text: items.map((item) => item + separator).join('') }];
    const last = children.at(-1) as Node;
    const at = last.offset + last.length;
    return [{ start: at, end: at, text: items.map((item) => separator + item).join('') }];
  }

  private inlineSeparator(children: readonly Node[]): string {
    const [first, second] = children;
    const between = first && second ? this.text.slice(first.offset + first.length, second.offset) : '';
    return /^[ \t]*,[ \t]*$/.test(between) ? between : this.colon.endsWith(' ') ? ', ' : ',';
  }

  private lineIndent(offset: number): string {
    const start = this.document.lineStart(offset);
    return /^[ \t]*/.exec(this.text.slice(start, offset))?.[0] ?? '';
  }

  /** Renders a value with indented continuation lines. */
  render(value: JsonValue, indent: string): string {
    if (value === null) return 'null';
    if (typeof value === 'string') return this.quote(value);
    if (value instanceof Literal) return value.text;
    const [open, close] = value instanceof Map ? '{}' : '[]';
    const inner = indent + this.indentUnit;
    const items = value instanceof Map ? this.members(value, inner) : value.map((item) => this.render(item, inner));
    if (items.length === 0) return `${open}${close}`;
    const { eol } = this.document;
    return `${open}${eol}${items.map((item) => inner + item).join(`,${eol}`)}${eol}${indent}${close}`;
  }

  /** Removes members or items, and containers that become empty except the root. */
  remove(nodes: readonly Node[]): Edit[] {
    const removedNodes = new Set(nodes);
    const removedChildren = new Map<Node, number>();
    for (const node of removedNodes) {
      const container = node.parent;
      if (!container || container === this.root) continue;
      const count = (removedChildren.get(container) ?? 0) + 1;
      removedChildren.set(container, count);
      if (count === container.children?.length)
        removedNodes.add(container.parent?.type === 'property' ? container.parent : container);
    }
    const outermost = [...removedNodes].filter((node) => !hasAncestor(node, removedNodes));
    const byContainer = new Map<Node, Set<Node>>();
    for (const node of outermost) {
      const container = node.parent as Node;
      byContainer.set(container, (byContainer.get(container) ?? new Set()).add(node));
    }
    return [...byContainer].flatMap(([container, removed]) => this.removeFrom(container, removed));
  }

  private removeFrom(container: Node, removed: ReadonlySet<Node>): Edit[] {
    const children = container.children ?? [];
    let count = children.length;
    while (count > 0 && removed.has(children[count - 1] as Node)) count -= 1;
    if (count === 0) return [{ start: container.offset + 1, end: container.offset + container.length - 1, text: '' }];
    const edits: Edit[] = [];
    for (let i = 0; i < count; i++) {
      if (!removed.has(children[i] as Node)) continue;
      edits.push({ start: (children[i] as Node).offset, end: (children[i + 1] as Node).offset, text: '' });
    }
    if (count < children.length) {
      const last = children[count - 1] as Node;
      const end = children.at(-1) as Node;
      edits.push({ start: last.offset + last.length, end: end.offset + end.length, text: '' });
    }
    return edits;
  }
}

/** Renders a value as a new file. */
export function writeJson(value: JsonValue, params: FormatParams | undefined): string {
  return new JsonTree(new TextDocument(Buffer.from('{}')), params).render(value, '');
}

function hasAncestor(node: Node, set: ReadonlySet<Node>): boolean {
  for (let up = node.parent; up; up = up.parent) if (set.has(up)) return true;
  return false;
}

function firstProperty(node: Node): Node | undefined {
  for (let at: Node | undefined = node; at; at = at.children?.[0]) if (at.type === 'property') return at;
  return undefined;
}

/** The value of a property. The last of repeated names wins, as in all JSON parsers. */
export function member(object: Node | undefined, name: string): Node | undefined {
  if (object?.type !== 'object') return undefined;
  return object.children?.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

/** The text of a string member; undefined for other types. */
export function memberText(object: Node | undefined, name: string): string | undefined {
  const node = member(object, name);
  return node?.type === 'string' ? (node.value as string) : undefined;
}

/** Converts a text to the type of another value: numbers and booleans keep their type if the text is valid. */
export function textLike(node: Node | undefined, text: string): JsonValue {
  const isLiteral =
    (node?.type === 'number' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) ||
    (node?.type === 'boolean' && (text === 'true' || text === 'false'));
  return isLiteral ? new Literal(text) : text;
}

/** Path of a property or item. */
export function stepsTo(owner: Node): Step[] {
  const steps: Step[] = [];
  for (let node = owner; node.parent; node = node.parent) {
    if (node.type === 'property') steps.unshift(node.children?.[0]?.value as string);
    else if (node.parent.type === 'array') steps.unshift(node.parent.children?.indexOf(node) ?? 0);
  }
  return steps;
}

/** Converts a node to a value that can be written elsewhere. */
export function valueOf(node: Node, text: string): JsonValue {
  const children = node.children ?? [];
  if (node.type === 'array') return children.map((item) => valueOf(item, text));
  if (node.type === 'object') {
    const members = children.map(({ children: [key, value] = [] }) => [key, value] as [Node, Node]);
    return new Map(members.map(([key, value]) => [key.value as string, valueOf(value, text)]));
  }
  if (node.type === 'string') return node.value as string;
  return node.type === 'null' ? null : new Literal(text.slice(node.offset, node.offset + node.length));
}

/** The text of a scalar. Numbers as written. */
export function scalarText(node: Node, text: string): string {
  return node.type === 'string' ? (node.value as string) : text.slice(node.offset, node.offset + node.length);
}

export function isScalar(node: Node | undefined): node is Node {
  return node !== undefined && (node.type === 'string' || node.type === 'number' || node.type === 'boolean');
}
