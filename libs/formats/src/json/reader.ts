import { makeUnit, textFormat, type UnitParts } from '../core/define';
import type { Edit, TextDocument } from '../core/document';
import type { BaseFile, Editor } from '../core/splice-file';
import {
  FormatError,
  type AddChange,
  type CreateOptions,
  type FileFormat,
  type FileMetadata,
  type FormatUnit,
  type ParseOptions,
  type SetChange,
} from '../format';
import type { Step } from '../core/nested-keys';
import { Insertions } from './nested';
import { JsonTree, valueOf, writeJson, type JsonValue, type Node } from './tree';

/** A unit with the scalars of its target; undefined items do not exist yet. */
export interface JsonUnit extends FormatUnit {
  slots: readonly (Node | undefined)[];
  /** Properties or items that make up the unit. */
  owners: readonly Node[];
  /** Writes the items without a slot, given as pairs of index and text. */
  grow?: (missing: readonly [number, string][]) => Edit[];
  /** The same as insertions, which several strings may share. Takes precedence over `grow`. */
  placed?: (missing: readonly [number, string][]) => readonly PlacedValue[];
  /** Edits that set the state, for formats with states. */
  mark?: (change: SetChange) => Edit[];
  /** Group of a string and its name in it. Strings are removed with those whose name is a prefix. */
  family?: { entry: Node; name: string };
}

/** A value with its path. */
export interface PlacedValue {
  steps: readonly Step[];
  value: JsonValue;
}

export type JsonParts = UnitParts & Pick<JsonUnit, 'slots' | 'owners' | 'grow' | 'placed' | 'mark' | 'family'>;

export interface JsonContext {
  tree: JsonTree;
  document: TextDocument;
  options: ParseOptions & { monolingual: boolean };
}

/** The base's entry of a new string. */
export interface JsonEntry {
  unit: JsonUnit;
  /** The property or item as a value. */
  value: JsonValue;
  /** Value of the `@key` member, for formats with such metadata. */
  described: JsonValue;
}

export type EntryOf = (change: AddChange) => JsonEntry | undefined;

/** Definition of a JSON format. */
export interface JsonDialect {
  id: string;
  /** Default true. */
  monolingual?: boolean;
  /** Allows comments and trailing commas. */
  comments?: boolean;
  empty?(options: CreateOptions): JsonValue;
  read(context: JsonContext): JsonParts[];
  add(context: JsonContext, changes: readonly AddChange[], entryOf: EntryOf): Edit[];
  language?(context: JsonContext, language: string): Edit[];
  metadata?(context: JsonContext): Partial<FileMetadata>;
}

class JsonEditor implements Editor<JsonUnit> {
  private families: Map<Node, JsonUnit[]> | undefined;

  constructor(
    private readonly context: JsonContext,
    private readonly dialect: JsonDialect,
    private readonly units: readonly JsonUnit[],
  ) {}

  setAll(changes: readonly (readonly [JsonUnit, SetChange])[]): Edit[] {
    const insertions = new Insertions(this.context.tree);
    const known = new Set<string>();
    const place = ({ steps, value }: PlacedValue): void => {
      const path = JSON.stringify(steps);
      if (!known.has(path)) insertions.addNested(path, value, steps);
      known.add(path);
    };
    const edits = changes.flatMap(([unit, change]) => this.setOne(unit, change, place));
    return known.size > 0 ? [...edits, ...insertions.edits()] : edits;
  }

  set(unit: JsonUnit, change: SetChange): Edit[] {
    return this.setAll([[unit, change]]);
  }

  companions({ family }: JsonUnit): readonly JsonUnit[] {
    if (!family) return [];
    const { entry, name } = family;
    if (!this.families) {
      this.families = new Map();
      for (const unit of this.units) {
        const of = unit.family && this.families.get(unit.family.entry);
        if (of) of.push(unit);
        else if (unit.family) this.families.set(unit.family.entry, [unit]);
      }
    }
    return (this.families.get(entry) ?? []).filter((other) => {
      const rest = other.family?.name.startsWith(name) ? other.family.name.slice(name.length) : '';
      return rest !== '' && /^[:@]/.test(rest);
    });
  }

  private setOne(unit: JsonUnit, change: SetChange, place: (placed: PlacedValue) => void): Edit[] {
    const edits: Edit[] = [];
    const missing: [number, string][] = [];
    change.target.forEach((text, i) => {
      const node = unit.slots[i];
      if (node) edits.push(...this.context.tree.setScalar(node, text));
      else if (text !== '') missing.push([i, text]);
    });
    if (missing.length > 0 && unit.placed) unit.placed(missing).forEach(place);
    else if (missing.length > 0) {
      if (!unit.grow) throw new FormatError('invalid-change', 'the string has no such form', unit.line, unit.column);
      edits.push(...unit.grow(missing));
    }
    return [...edits, ...(unit.mark?.(change) ?? [])];
  }

  remove(units: readonly JsonUnit[]): Edit[] {
    return this.context.tree.remove(units.flatMap((unit) => unit.owners));
  }

  add(changes: readonly AddChange[], base?: BaseFile<JsonUnit>): Edit[] {
    const known = new Set(this.units.map((unit) => unit.context));
    for (const { context } of changes) {
      if (context === '') throw new FormatError('invalid-change', 'a new string requires a key');
      if (known.has(context)) throw new FormatError('duplicate', 'the file already has this key');
      known.add(context);
    }
    return this.dialect.add(this.context, changes, (change) => {
      const unit = base?.entryOf(change);
      if (!base || !unit) return undefined;
      const [value = null, described = null] = unit.owners.map((owner) => ownValue(owner, base.document));
      return { unit, value, described };
    });
  }

  header(change: { fields: Readonly<Record<string, string>> }): Edit[] {
    const language = change.fields['Language'];
    return language === undefined ? [] : (this.dialect.language?.(this.context, language) ?? []);
  }
}

export function jsonFormat(dialect: JsonDialect): FileFormat {
  return textFormat<JsonUnit>({
    id: dialect.id,
    monolingual: dialect.monolingual ?? true,
    // A blank is not a number or boolean, so the value is removed. In a list it stays, because removal shifts later keys.
    dropOnCreate: ({ slots, owners }) =>
      slots.some((node) => node !== undefined && node.type !== 'string') &&
      owners.every((owner) => owner.type === 'property'),
    ...(dialect.empty
      ? { empty: (options: CreateOptions) => `${writeJson(dialect.empty!(options), options.params)}\n` }
      : {}),
    read(document, options) {
      const tree = new JsonTree(document, options.params, dialect.comments);
      const context: JsonContext = { tree, document, options };
      const units = dialect.read(context).map((parts, index): JsonUnit => {
        const { slots, owners, grow, placed, mark, family } = parts;
        return makeUnit(document, index, parts, { slots, owners, grow, placed, mark, family });
      });
      return { units, editor: new JsonEditor(context, dialect, units), metadata: dialect.metadata?.(context) };
    },
  });
}

function ownValue(owner: Node, { text }: TextDocument): JsonValue {
  return valueOf(owner.type === 'property' ? (owner.children?.[1] as Node) : owner, text);
}

/** Requires a single text for a string without plural forms. */
export function singleText(change: AddChange): string {
  if (change.target.length > 1) throw new FormatError('invalid-change', 'the string has no plural forms');
  return change.target[0] as string;
}

/** The root. Throws if it is of another kind. */
export function rootOf(context: JsonContext, type: 'object' | 'array'): Node {
  const { root } = context.tree;
  if (root.type !== type) throw context.document.error(`expected an ${type}`, root.offset);
  return root;
}
