import { setImmediate as turn } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { Negotiated } from './negotiation';

/** Prefixes a cell that a spreadsheet would interpret as a formula with an apostrophe, including full-width signs. */
function cell(value: unknown): string {
  let text = value === null || value === undefined ? '' : String(value as string | number | boolean);
  if (typeof value === 'string' && /^[=+\-@|%＝＋－＠｜％\t\r]/.test(text)) text = `'${text}`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function rowsOf(data: unknown): Record<string, unknown>[] {
  const list = Array.isArray(data)
    ? data
    : typeof data === 'object' && data !== null && Array.isArray((data as { results?: unknown }).results)
      ? (data as { results: unknown[] }).results
      : [data];
  return list.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null);
}

/** Flattens a row: nested values become `key.inner` and `key.0`. */
function flattened(row: object, prefix = ''): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row) as [string, unknown][]) {
    if (typeof value === 'object' && value !== null) Object.assign(flat, flattened(value, `${prefix}${key}.`));
    else flat[prefix + key] = value;
  }
  return flat;
}

export async function toCsv(data: unknown): Promise<string> {
  const rows = await inSlices(rowsOf(data), (row) => flattened(row));
  const names = new Set<string>();
  await inSlices(rows, (row) => Object.keys(row).forEach((name) => names.add(name)));
  const columns = [...names];
  const line = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`;
  const lines = await inSlices(rows, (row) => line(columns.map((column) => row[column])));
  return line(columns) + lines.join('');
}

/** Maximum time that serializing a large response blocks the event loop, in milliseconds. */
const SLICE_MS = 10;

/** Maps a list in slices; other requests run in between. */
async function inSlices<T, R>(list: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  let begun = performance.now();
  for (const item of list) {
    mapped.push(map(item));
    if (performance.now() - begun < SLICE_MS) continue;
    await turn();
    begun = performance.now();
  }
  return mapped;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON of objects that several items of a list contain; '' until it is needed. */
const sharedJson = new WeakMap<object, string>();

/** Marks an object that several items of a list contain: it is serialized once. It must not change. */
export function shared<T extends object>(value: T): T {
  if (!sharedJson.has(value)) sharedJson.set(value, '');
  return value;
}

function jsonOfShared(value: object): string {
  let json = sharedJson.get(value)!;
  if (json === '') sharedJson.set(value, (json = JSON.stringify(value)));
  return json;
}

/** Compact JSON of an item of a list; members with shared values come first. */
function itemJson(item: unknown): string {
  if (!isRecord(item)) return JSON.stringify(item ?? null);
  let members = '';
  let rest = item;
  for (const [key, value] of Object.entries(item)) {
    if (typeof value !== 'object' || value === null || !sharedJson.has(value)) continue;
    members += `${JSON.stringify(key)}:${jsonOfShared(value)},`;
    if (rest === item) rest = { ...item };
    rest[key] = undefined;
  }
  const json = JSON.stringify(rest);
  if (members === '') return json;
  return json === '{}' ? `{${members.slice(0, -1)}}` : `{${members}${json.slice(1)}`;
}

/** Compact JSON of the items of a list, in slices. */
export const jsonOfItems = (items: readonly unknown[]): Promise<string[]> => inSlices(items, itemJson);

/** Equals JSON.stringify, except for the order of shared members, but serializes lists and pages in slices. */
export async function toJson(data: unknown, indent = 0): Promise<string> {
  const line = (level: number) => (indent > 0 ? `\n${' '.repeat(indent * level)}` : '');
  // Line breaks in JSON strings are escaped, so every line break is formatting.
  const nested = (value: unknown, level: number) =>
    indent === 0 ? itemJson(value) : JSON.stringify(value ?? null, null, indent).replaceAll('\n', line(level));
  const list = async (items: readonly unknown[], level: number) =>
    items.length === 0
      ? '[]'
      : `[${(await inSlices(items, (item) => line(level + 1) + nested(item, level + 1))).join(',')}${line(level)}]`;
  if (Array.isArray(data)) return list(data, 0);
  const results = typeof data === 'object' && data !== null ? (data as { results?: unknown }).results : undefined;
  if (!Array.isArray(results)) return JSON.stringify(data, null, indent);
  const members: string[] = [];
  for (const [key, value] of Object.entries(data as object) as [string, unknown][]) {
    if (value === undefined) continue;
    const json = value === results ? await list(results, 1) : nested(value, 1);
    members.push(`${line(1)}${JSON.stringify(key)}:${indent > 0 ? ' ' : ''}${json}`);
  }
  return `{${members.join(',')}${line(0)}}`;
}

/** A mapping as YAML; each member of its members is serialized in a slice of its own. */
async function toYaml(data: Record<string, unknown>): Promise<string> {
  const yaml = (value: unknown) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
  const parts = Object.entries(data).flatMap(([key, value]) =>
    isRecord(value) && Object.keys(value).length > 0
      ? [
          () => `${yaml(key).trimEnd()}:\n`,
          ...Object.entries(value).map(
            ([name, inner]) =>
              () =>
                yaml({ [name]: inner }).replace(/^(?=.)/gm, '  '),
          ),
        ]
      : [() => yaml({ [key]: value })],
  );
  return (await inSlices(parts, (part) => part())).join('');
}

/** Metrics as OpenMetrics text, which parsers of the older Prometheus format accept, too. */
function toOpenMetrics(data: unknown): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(data as Record<string, unknown>)) {
    if (typeof value === 'number') lines.push(`${name} ${value}`);
    else if (typeof value === 'object' && value !== null) {
      for (const [queue, length] of Object.entries(value)) lines.push(`${name}{queue="${queue}"} ${Number(length)}`);
    }
  }
  return `${lines.join('\n')}\n# EOF\n`;
}

/** Renders data in a representation that depends only on the data. */
export async function render(data: unknown, { renderer, indent }: Negotiated): Promise<string> {
  switch (renderer) {
    case 'csv':
      return toCsv(data);
    case 'openmetrics':
    case 'prometheus':
      return toOpenMetrics(data);
    case 'yaml':
      return toYaml(data as Record<string, unknown>);
    case 'json-flat':
      return toJson(
        typeof data === 'object' && data !== null && 'results' in data ? (data as { results: unknown }).results : data,
      );
    default:
      return toJson(data, indent);
  }
}
