import type { Slot } from '../core/keyed';
import type { PhpNode } from './php-scan';

/** A value of a list, a variable or a constant, with its path. */
export interface Entry {
  path: string;
  value: PhpNode;
  /** The whole item or statement. */
  owner: PhpNode;
  /** List that contains the item. */
  list: PhpNode | undefined;
}

export function nodes(value: unknown): PhpNode[] {
  return Array.isArray(value) ? (value.filter((item) => typeof item === 'object' && item !== null) as PhpNode[]) : [];
}

export function keyText(node: PhpNode): string | undefined {
  if (node.kind === 'string' || node.kind === 'number') return String(node['value']);
  return undefined;
}

export function variablePath(node: PhpNode): string | undefined {
  if (node.kind === 'variable' && typeof node['name'] === 'string') return `$${node['name']}`;
  if (node.kind !== 'offsetlookup') return undefined;
  const base = variablePath(node['what'] as PhpNode);
  const key = node['offset'] as PhpNode | false;
  const name = key ? keyText(key) : '';
  return base === undefined || name === undefined ? undefined : `${base}['${name}']`;
}

export function quote(text: string, style: string): string {
  if (style !== '"') return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('$', '\\$')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}

export function spanOf(node: PhpNode): Slot {
  const { loc, start = 0, end = 0 } = node;
  return loc ? { start: loc.start.offset, end: loc.end.offset } : { start, end };
}
