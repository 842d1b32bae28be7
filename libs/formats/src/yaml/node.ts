import { isAlias, isMap, isPair, isScalar, isSeq, type Node } from 'yaml';

/** Start, end of the value, and end with what belongs to the node (a block's line end). */
export type Range = readonly [start: number, end: number];

export interface YamlScalar {
  readonly kind: 'scalar';
  readonly value: unknown;
  readonly style: 'plain' | 'double' | 'single' | 'literal' | 'folded';
  /** What is written, without quotes. */
  readonly source: string;
  readonly range: Range;
}

export interface YamlPair {
  readonly key: YamlNode | undefined;
  value: YamlNode | undefined;
}

export interface YamlMap {
  readonly kind: 'map';
  readonly items: YamlPair[];
  readonly flow: boolean;
  range: Range;
}

export interface YamlSeq {
  readonly kind: 'seq';
  readonly items: (YamlNode | undefined)[];
  readonly flow: boolean;
  range: Range;
}

/** A reference to another place; it is never followed. */
export interface YamlAlias {
  readonly kind: 'alias';
  readonly range: Range;
}

export type YamlNode = YamlScalar | YamlMap | YamlSeq | YamlAlias;

const STYLES: Readonly<Record<string, YamlScalar['style']>> = {
  QUOTE_DOUBLE: 'double',
  QUOTE_SINGLE: 'single',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

/** The library's tree as ours. */
export function fromLibrary(node: Node | null | undefined): YamlNode | undefined {
  if (!node?.range) return undefined;
  const range: Range = [node.range[0], node.range[1]];
  if (isAlias(node)) return { kind: 'alias', range };
  if (isScalar(node)) {
    const source = node.source ?? String(node.value);
    return { kind: 'scalar', value: node.value, style: STYLES[node.type ?? ''] ?? 'plain', source, range };
  }
  if (isMap(node)) {
    const items = node.items.map(({ key, value }) => ({
      key: fromLibrary(key as Node),
      value: fromLibrary(value as Node),
    }));
    return { kind: 'map', items, flow: node.flow === true, range };
  }
  if (!isSeq(node)) return undefined;
  const items = node.items.map((item) =>
    // A pair without braces in a list is no node of its own: nothing in it is a string of the file.
    isPair(item) ? undefined : fromLibrary(item as Node),
  );
  return { kind: 'seq', items, flow: node.flow === true, range };
}
