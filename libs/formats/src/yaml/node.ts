import { isAlias, isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import type { StepContent, Step } from '../core/nested-keys';

/** Range of a node including its line end. Two numbers, because an array would double the memory of a node. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export interface YamlScalar extends Span {
  readonly kind: 'scalar';
  readonly value: unknown;
  readonly style: 'plain' | 'double' | 'single' | 'literal' | 'folded';
  /** The raw text without quotes. */
  readonly source: string;
  anchor?: string;
  /** A key elsewhere is an alias of it. */
  isKey?: true;
}

export interface YamlPair {
  readonly key: YamlNode | undefined;
  value: YamlNode | undefined;
  /** The text of a key that is an alias. */
  name?: string;
}

export interface YamlMap extends Span {
  readonly kind: 'map';
  readonly items: YamlPair[];
  readonly flow: boolean;
  anchor?: string;
}

export interface YamlSeq extends Span {
  readonly kind: 'seq';
  readonly items: (YamlNode | undefined)[];
  readonly flow: boolean;
  anchor?: string;
}

/** An alias. Values never follow it. */
export interface YamlAlias extends Span {
  readonly kind: 'alias';
  readonly name: string;
}

export type Container = YamlMap | YamlSeq;

export type YamlNode = YamlScalar | YamlMap | YamlSeq | YamlAlias;

const STYLES: Readonly<Record<string, YamlScalar['style']>> = {
  QUOTE_DOUBLE: 'double',
  QUOTE_SINGLE: 'single',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

/** A pair's value; undefined if it is missing, because it has no range. */
export function writtenValue(value: YamlNode | undefined): YamlNode | undefined {
  return value?.kind === 'scalar' && value.value === null && value.start === value.end ? undefined : value;
}

/** Converts the library's tree. Block ends are recomputed, because the library's are unreliable after a key without a value. */
export function fromLibrary(node: Node | null | undefined, text: string): YamlNode | undefined {
  const own = convert(node, text);
  const anchor = isAlias(node) ? undefined : (node as { anchor?: string } | null | undefined)?.anchor;
  if (own && own.kind !== 'alias' && anchor) own.anchor = anchor;
  return own;
}

function convert(node: Node | null | undefined, text: string): YamlNode | undefined {
  if (!node?.range) return undefined;
  const [start, end] = node.range;
  if (isAlias(node)) return { kind: 'alias', name: node.source, start, end };
  if (isScalar(node)) {
    const source = node.source ?? String(node.value);
    const style = STYLES[node.type ?? ''] ?? 'plain';
    return { kind: 'scalar', value: node.value, style, source, start, end };
  }
  if (isMap(node)) {
    const items = node.items.map(({ key, value }): YamlPair => {
      const ours = fromLibrary(key as Node, text);
      return { key: ours, value: writtenValue(fromLibrary(value as Node, text)) };
    });
    const last = items.at(-1);
    const flow = node.flow === true;
    return { kind: 'map', items, flow, start, end: flow ? end : blockEnd(last?.value ?? last?.key, text, end) };
  }
  if (!isSeq(node)) return undefined;
  const items = node.items.map((item) =>
    // An implicit pair in a flow list is not a node, and its content is not a string.
    isPair(item) ? undefined : fromLibrary(item as Node, text),
  );
  const flow = node.flow === true;
  return { kind: 'seq', items, flow, start, end: flow ? end : blockEnd(items.at(-1), text, end) };
}

/** Offset after the line on which a block's last node ends. */
function blockEnd(last: YamlNode | undefined, text: string, otherwise: number): number {
  if (!last) return otherwise;
  const { end } = last;
  if (text[end - 1] === '\n') return end;
  const feed = text.indexOf('\n', end);
  return feed < 0 ? text.length : feed + 1;
}

/**
 * The alias whose expansion exceeds a number of nodes; undefined if there is none. Parsing does not expand aliases, but programs
 * that use the file do.
 */
export function tooManyByAlias(root: YamlNode, limit: number): YamlAlias | undefined {
  const sizes = new Map<string, number>();
  let found: YamlAlias | undefined;
  const sizeOf = (node: YamlNode | undefined): number => {
    if (!node || found) return 0;
    let size = 1;
    if (node.kind === 'alias') size = sizes.get(node.name) ?? 1;
    else if (node.kind === 'map') for (const { key, value } of node.items) size += sizeOf(key) + sizeOf(value);
    else if (node.kind === 'seq') for (const item of node.items) size += sizeOf(item);
    if (node.kind === 'alias') {
      if (size > limit) found ??= node;
    } else if (node.anchor !== undefined) sizes.set(node.anchor, size);
    return size;
  };
  sizeOf(root);
  return found;
}

/** View of a value for the insertion of new keys. */
export function contentOf(node: YamlNode | undefined): StepContent<Container> {
  if (!node || (node.kind === 'scalar' && node.value === null)) return 'gap';
  if (node.kind !== 'map' && node.kind !== 'seq') return 'taken';
  return node.items.length === 0 ? 'gap' : node;
}

/** View of a map or list for the insertion of new keys. */
export function* membersOf(container: Container): Generator<readonly [Step, StepContent<Container>]> {
  if (container.kind === 'seq') {
    // An item without a node counts as a value.
    for (const [i, item] of container.items.entries()) yield [i, item ? contentOf(item) : 'taken'];
    return;
  }
  for (const pair of container.items) {
    const name = keyText(pair);
    if (name !== undefined) yield [name, contentOf(pair.value)];
  }
}

/** The text of a key that is a scalar or an alias of one. */
export function keyText({ key, name }: YamlPair): string | undefined {
  return key?.kind === 'scalar' ? key.source : name;
}

/** Resolves the names of keys that are aliases. */
export function nameReferences(root: YamlNode): void {
  const anchored = new Map<string, YamlNode>();
  const walk = (node: YamlNode | undefined): void => {
    if (!node || node.kind === 'alias') return;
    if (node.anchor !== undefined) anchored.set(node.anchor, node);
    if (node.kind === 'seq') node.items.forEach(walk);
    if (node.kind !== 'map') return;
    for (const pair of node.items) {
      const named = pair.key?.kind === 'alias' ? anchored.get(pair.key.name) : undefined;
      if (named?.kind === 'scalar') {
        pair.name = named.source;
        named.isKey = true;
      }
      walk(pair.key);
      walk(pair.value);
    }
  };
  walk(root);
}
