import type { Edit, TextDocument } from '../core/document';
import { insertLines } from '../core/keyed';
import {
  Literal,
  NestedKeys,
  type Insertion,
  type NestedValue,
  type StepContent,
  type Step,
} from '../core/nested-keys';
import { FormatError } from '../format';
import { basic, prefixOf, type TomlHeader, type TomlList, type TomlNode, type TomlTable } from './toml-scan';

type Container = TomlTable | TomlList;

function contentOf(node: TomlNode): StepContent<Container> {
  if (node.kind === 'scalar') return 'taken';
  const size = node.kind === 'table' ? node.members.size : node.items.length;
  return size === 0 && node.span ? 'gap' : node;
}

/** Adds new strings at their paths: as lines of tables, in arrays and inline tables, or as new tables of an array. */
export function addToml(
  document: TextDocument,
  root: TomlTable,
  headers: readonly TomlHeader[],
  strings: readonly (readonly [key: string, value: string | Literal])[],
): Edit[] {
  const keys = new NestedKeys<Container>(
    {
      root,
      isList: (container) => container.kind === 'list',
      members: (container) => {
        const known: Iterable<readonly [Step, TomlNode]> =
          container.kind === 'list' ? container.items.entries() : container.members;
        return [...known].map(([step, node]) => [step, contentOf(node)] as const);
      },
    },
    'dots',
  );
  for (const [key, value] of strings) keys.add(key, value);
  const writer = new TomlWriter(document, headers);
  for (const insertion of keys.plan().insertions) writer.insert(insertion);
  return writer.edits();
}

/** Tree of header names with arrays of tables marked. */
interface Names {
  list: boolean;
  next: Map<string, Names>;
}

/** Headers that a later element of an array of tables redefines. */
function pastHeaders(headers: readonly TomlHeader[]): Set<TomlHeader> {
  const past = new Set<TomlHeader>();
  const later: Names = { list: false, next: new Map() };
  for (const header of headers.toReversed()) {
    let at = later;
    for (const name of header.names) {
      let next = at.next.get(name);
      if (!next) at.next.set(name, (next = { list: false, next: new Map() }));
      at = next;
      if (at.list) past.add(header);
    }
    if (header.list) at.list = true;
  }
  return past;
}

/** Groups lines by offset, so that those at one offset keep their order. */
class TomlWriter {
  private readonly inside: Edit[] = [];
  private readonly lines = new Map<TomlHeader, string[]>();
  /** New tables, each after the content of the array's last one. */
  private readonly tables = new Map<number, string[]>();
  private readonly past: ReadonlySet<TomlHeader>;

  constructor(
    private readonly document: TextDocument,
    private readonly headers: readonly TomlHeader[],
  ) {
    this.past = pastHeaders(headers);
  }

  edits(): Edit[] {
    const lines = [...this.lines].flatMap(([{ end }, written]) => insertLines(this.document, written, end));
    return [
      ...this.inside,
      ...lines,
      ...[...this.tables].flatMap(([end, written]) => insertLines(this.document, written, end)),
    ];
  }

  insert({ container, members, items, fills }: Insertion<Container>): void {
    for (const [step, value] of fills) {
      const node = container.kind === 'list' ? container.items[step as number] : container.members.get(step as string);
      if (node?.span) this.inside.push({ ...node.span, text: inline(value) });
    }
    if (container.kind === 'list') this.append(container, items);
    else if (members.size > 0) this.extend(container, members);
  }

  private append(list: TomlList, items: readonly NestedValue[]): void {
    if (items.length === 0) return;
    if (list.names) {
      this.addTables(list.names, items);
      return;
    }
    const { text } = this.document;
    const last = (list.items.at(-1) as TomlNode).span as { start: number; end: number };
    const kind = list.items[0]?.kind;
    const blank = kind === 'table' ? '{}' : kind === 'list' ? '[]' : '""';
    const before = text.slice(this.document.lineStart(last.start), last.start);
    const gap = before.trim() === '' ? this.document.eol + before : ' ';
    this.inside.push({
      start: last.end,
      end: last.end,
      text: items.map((item) => `,${gap}${inline(item, blank)}`).join(''),
    });
  }

  private extend(table: TomlTable, members: ReadonlyMap<string, NestedValue>): void {
    const { span, home } = table;
    if (!home) {
      // An inline table, or a table that only dotted keys in one define.
      const last = lastOf(table);
      if (!span || !last) throw new FormatError('unsupported', 'the key cannot be added to an inline table');
      const pairs = [...members].map(([name, value]) => `, ${keyOf([name])} = ${inline(value)}`);
      this.inside.push({ start: last.end, end: last.end, text: pairs.join('') });
      return;
    }
    const prefix = prefixOf(table);
    const lines: string[] = [];
    for (const [name, value] of members) {
      const names = [...prefix, name];
      if (isTables(value) && !(this.past.size > 0 && home.names.length > 0))
        this.addTables([...home.names, ...names], value);
      else lines.push(...pairsOf(names, value));
    }
    if (lines.length > 0) this.lines.set(home, [...(this.lines.get(home) ?? []), ...lines]);
  }

  /** Appends tables to an array of tables, each with a header. */
  private addTables(names: readonly string[], items: readonly NestedValue[]): void {
    const own = this.headers.filter((header) => names.every((name, i) => header.names[i] === name));
    const outer = this.headers.filter((header) => header.names.every((name, i) => names[i] === name));
    const isPast = (header: TomlHeader | undefined): boolean => header !== undefined && this.past.has(header);
    if (isPast(own.at(-1) ?? outer.at(-1)) && outer.every(isPast))
      throw new FormatError('unsupported', `a table that is not the last of its list cannot take more tables`);
    const end = own.length > 0 ? Math.max(...own.map((header) => header.end)) : this.document.text.length;
    const lines = items.flatMap((item) => [
      `[[${keyOf(names)}]]`,
      ...(item instanceof Map ? [...item].flatMap(([name, value]) => pairsOf([name], value)) : []),
    ]);
    this.tables.set(end, [...(this.tables.get(end) ?? []), ...lines]);
  }
}

/** End offset of the last value in an inline table. */
function lastOf(table: TomlTable): { end: number } | undefined {
  let found: { end: number } | undefined;
  for (const node of table.members.values()) {
    const end = node.span ?? (node.kind === 'table' ? lastOf(node) : undefined);
    if (end && end.end > (found?.end ?? -1)) found = end;
  }
  return found;
}

/** Whether an array has only tables or gaps. */
function isTables(value: NestedValue): value is (Map<string, NestedValue> | null)[] {
  return (
    Array.isArray(value) &&
    value.some((item) => item !== null) &&
    value.every((item) => item === null || item instanceof Map)
  );
}

function keyOf(names: readonly string[]): string {
  return names.map((name) => (/^[\w-]+$/.test(name) ? name : basic(name))).join('.');
}

/** Lines for a value. Members of tables use dotted keys. */
function pairsOf(names: readonly string[], value: NestedValue): string[] {
  if (value instanceof Map) return [...value].flatMap(([name, inner]) => pairsOf([...names, name], inner));
  return [`${keyOf(names)} = ${inline(value)}`];
}

/** TOML has no null: a gap is a blank of the type of the other items. */
function inline(value: NestedValue, gap = '""'): string {
  if (value === null) return gap;
  if (typeof value === 'string') return basic(value);
  if (value instanceof Literal) return value.text;
  if (value instanceof Map)
    return `{ ${[...value].map(([name, inner]) => `${keyOf([name])} = ${inline(inner)}`).join(', ')} }`;
  const known = value.find((item) => item !== null);
  const blank = known instanceof Map ? '{}' : Array.isArray(known) ? '[]' : '""';
  return `[${value.map((item) => inline(item, blank)).join(', ')}]`;
}
