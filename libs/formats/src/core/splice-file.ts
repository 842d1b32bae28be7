import {
  FormatError,
  type AddChange,
  type Change,
  type FileMetadata,
  type FormatFile,
  type FormatUnit,
  type HeaderChange,
  type SetChange,
} from '../format';
import type { Edit, TextDocument } from './document';

/** How a format maps changes to edits. A missing function means that the format does not support the operation. */
export interface Editor<U extends FormatUnit> {
  set(unit: U, change: SetChange): Edit[];
  remove?(units: readonly U[]): Edit[];
  /** Handles all `set` changes at once, for strings that share missing parts of the file. Takes precedence over `set`. */
  setAll?(changes: readonly (readonly [U, SetChange])[]): Edit[];
  /** Strings that depend on another one and are removed with it. */
  companions?(unit: U): readonly U[];
  /** `base` has entries that new strings copy. */
  add?(changes: readonly AddChange[], base?: BaseFile<U>): Edit[];
  header?(change: HeaderChange): Edit[];
  /**
   * Target of a string whose entry is read with its edits and without the rest of the file; undefined: the rest may affect it or be affected.
   * For formats whose entries are independent: changed texts are verified without reading the whole file again.
   */
  readAlone?(unit: U, edits: readonly Edit[]): readonly string[] | undefined;
  /** Whether adding a string also adds a string that was not requested. */
  addsImplicitly?(unit: FormatUnit, change: AddChange): boolean;
}

/** Another file of the same format as a source of entries. */
export interface BaseFile<U extends FormatUnit> {
  document: TextDocument;
  /** The entry of a new string. */
  entryOf(change: AddChange): U | undefined;
}

/** A changed string with its edits. */
interface Rewrite<U> {
  unit: U;
  change: SetChange;
  edits: readonly Edit[];
}

/** Maximum size of files that are verified by reading them again. Larger files rely on the splice. */
const VERIFY_BYTES = 2 * 1024 * 1024;

/** Shared implementation of text files: validates changes, splices them, and verifies the result. */
export class SpliceFile<U extends FormatUnit> implements FormatFile {
  constructor(
    readonly format: string,
    readonly document: TextDocument,
    readonly units: readonly U[],
    readonly metadata: FileMetadata,
    private readonly editor: Editor<U>,
    protected readonly reparse: (bytes: Buffer) => SpliceFile<U>,
  ) {}

  apply(given: readonly Change[], base?: Buffer): Buffer {
    checkChanges(this, given);
    const changes = this.withCompanions(given);
    const adds = changes.filter((change) => change.op === 'add');
    const rewrites = this.rewrites(changes);
    if (rewrites?.length === changes.length && this.areReadAlone(rewrites))
      return this.document.splice(rewrites.flatMap(({ edits }) => edits));
    const edits = this.edits(changes, rewrites);
    if (adds.length === 0) return this.written(changes, edits);
    if (edits.length > 0) {
      const others = changes.filter((change) => change.op !== 'add');
      return this.reparse(this.written(others, edits)).apply(adds, base);
    }
    const entries = base && baseFile(base, this.reparse);
    if (entries) {
      try {
        return this.added(adds, entries);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
    }
    return this.added(adds);
  }

  private added(adds: readonly AddChange[], base?: BaseFile<U>): Buffer {
    return this.written(adds, this.required(this.editor.add, 'add').call(this.editor, adds, base));
  }

  private written(changes: readonly Change[], edits: readonly Edit[]): Buffer {
    const bytes = this.document.splice(edits);
    if (changes.length > 0 && bytes.length <= VERIFY_BYTES)
      verify(this, changes, this.reparse(bytes), this.editor.addsImplicitly);
    return bytes;
  }

  private withCompanions(changes: readonly Change[]): readonly Change[] {
    const removed = changes.filter((change) => change.op === 'remove');
    if (!this.editor.companions || removed.length === 0) return changes;
    const removedUnits = new Set(removed.map(({ index }) => index));
    for (const { index } of removed)
      for (const companion of this.editor.companions(this.unit(index))) removedUnits.add(companion.index);
    const others = changes.filter(
      (change) => change.op === 'add' || change.op === 'header' || !removedUnits.has(change.index),
    );
    return [...others, ...[...removedUnits].map((index) => ({ op: 'remove', index }) as const)];
  }

  /**
   * Edits of the changed strings one by one, in the order of the file: edits at one place, the end of an entry and the start of the next, are
   * applied in their order. Undefined: the format changes strings together.
   */
  private rewrites(changes: readonly Change[]): Rewrite<U>[] | undefined {
    if (this.editor.setAll) return undefined;
    const sets = changes.filter((change) => change.op === 'set').sort((a, b) => a.index - b.index);
    return sets.map((change) => {
      const unit = this.unit(change.index);
      return { unit, change, edits: this.editor.set(unit, change) };
    });
  }

  /** Whether all changed strings have their new texts when they are read alone, and no edit touches that of another string. */
  private areReadAlone(rewrites: readonly Rewrite<U>[]): boolean {
    const isKept = ({ unit, change, edits }: Rewrite<U>): boolean => {
      const read = this.editor.readAlone?.(unit, edits);
      return read !== undefined && sameForms(read, change.target);
    };
    return rewrites.every(isKept) && !touchEachOther(rewrites);
  }

  private edits(changes: readonly Change[], rewrites: readonly Rewrite<U>[] | undefined): Edit[] {
    const removed = changes.filter((change) => change.op === 'remove').map((change) => this.unit(change.index));
    const edits: Edit[] = rewrites?.flatMap((rewrite) => rewrite.edits) ?? [];
    if (this.editor.setAll) {
      const sets = changes.filter((change) => change.op === 'set');
      edits.push(...this.editor.setAll(sets.map((change) => [this.unit(change.index), change])));
    }
    for (const change of changes) if (change.op === 'header') edits.push(...(this.editor.header?.(change) ?? []));
    // Spreading would exceed the maximum number of call arguments.
    return removed.length > 0
      ? edits.concat(this.required(this.editor.remove, 'remove').call(this.editor, removed))
      : edits;
  }

  private unit(index: number): U {
    return this.units[index] as U;
  }

  private required<T>(value: T | undefined, what: string): T {
    if (value === undefined) throw new FormatError('unsupported', `${this.format} files cannot ${what} strings`);
    return value;
  }
}

/** Whether edits of different strings have a place in common, where their order would decide. */
function touchEachOther(rewrites: readonly Rewrite<FormatUnit>[]): boolean {
  const ranges = rewrites.flatMap(({ edits }) => {
    if (edits.length === 0) return [];
    return { start: Math.min(...edits.map((edit) => edit.start)), end: Math.max(...edits.map((edit) => edit.end)) };
  });
  ranges.sort((a, b) => a.start - b.start);
  return ranges.some(({ start }, i) => i > 0 && start <= (ranges[i - 1] as { end: number }).end);
}

function baseFile<U extends FormatUnit>(
  bytes: Buffer,
  parse: (bytes: Buffer) => SpliceFile<U>,
): BaseFile<U> | undefined {
  let file: SpliceFile<U>;
  try {
    file = parse(bytes);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
  const { document, units, metadata } = file;
  const { monolingual } = metadata;
  const entries = new Map(units.map((unit) => [keyOf(monolingual, unit), unit]));
  return { document, entryOf: (change) => entries.get(keyOf(monolingual, change)) };
}

/** Rejects changes without a unit, with a repeated unit, or without a text. */
export function checkChanges(file: FormatFile, changes: readonly Change[]): void {
  const touched = new Set<number>();
  for (const change of changes) {
    if (change.op === 'header') continue;
    if (change.op !== 'add') {
      if (!Number.isInteger(change.index) || file.units[change.index] === undefined) {
        throw new FormatError('unknown-unit', `there is no string number ${change.index} in the file`);
      }
      if (touched.has(change.index)) {
        throw new FormatError('invalid-change', `string number ${change.index} is changed twice`);
      }
      touched.add(change.index);
    }
    if (change.op === 'remove') continue;
    if (change.target.length === 0) throw new FormatError('invalid-change', 'a target requires at least one string');
    const unit = change.op === 'set' ? file.units[change.index] : undefined;
    if (unit && !unit.plural && change.target.length > 1) {
      throw new FormatError('invalid-change', 'the string has no plural forms', unit.line, unit.column);
    }
    for (const text of change.target) {
      if (/\p{Surrogate}/u.test(text) || text.includes('\0')) {
        throw new FormatError('unrepresentable', 'the text holds half a character or a NUL', unit?.line, unit?.column);
      }
    }
  }
}

/** Rejects new strings that exist or have no key. */
export function checkNew(changes: readonly AddChange[], units: readonly FormatUnit[], monolingual: boolean): void {
  const known = new Set(units.map((unit) => keyOf(monolingual, unit)));
  for (const change of changes) {
    if (monolingual && change.context === '') throw new FormatError('invalid-change', 'a new string requires a key');
    const wanted = keyOf(monolingual, change);
    if (known.has(wanted)) throw new FormatError('duplicate', 'the file already has this string');
    known.add(wanted);
  }
}

function verify(
  before: FormatFile,
  changes: readonly Change[],
  after: FormatFile,
  addsImplicitly: ImplicitAddition,
): void {
  const sets = new Map<number, readonly string[]>();
  const removed = new Set<number>();
  for (const change of changes) {
    if (change.op === 'set') sets.set(change.index, change.target);
    else if (change.op === 'remove') removed.add(change.index);
  }
  const expected = before.units.filter((unit) => !removed.has(unit.index));
  const adds = changes.filter((change) => change.op === 'add');
  if (
    after.units.length !== expected.length + adds.length &&
    !onlyExpected(expected, adds, after.units, addsImplicitly)
  ) {
    throw new FormatError('unrepresentable', 'the change would alter other strings of the file');
  }
  if (adds.length > 0) {
    const { monolingual } = before.metadata;
    const found = new Map<string, FormatUnit[]>();
    for (const unit of after.units) {
      const key = keyOf(monolingual, unit);
      const same = found.get(key);
      if (same) same.push(unit);
      else found.set(key, [unit]);
    }
    const keeps = (wanted: Keyed): boolean =>
      found.get(keyOf(monolingual, wanted))?.some((unit) => sameForms(unit.target, wanted.target)) ?? false;
    for (const add of adds) {
      // Some formats store no context or source. Others generate a missing key.
      const own = ({ context, source, target }: FormatUnit): boolean =>
        sameForms(target, add.target) &&
        (source[0] === add.source[0] || (add.context !== '' && context === add.context));
      if (!keeps(add) && (monolingual || !after.units.some(own)))
        throw new FormatError('unrepresentable', 'the new string cannot be kept under its key in this format');
    }
    const altered = expected.find((unit) => !keeps(unit) && unit.target.some((text) => text !== ''));
    if (altered) {
      const { line, column } = altered;
      throw new FormatError('unrepresentable', 'the new string would alter other strings of the file', line, column);
    }
    return;
  }
  expected.forEach((unit, at) => {
    const read = after.units[at] as FormatUnit;
    if (!sameForms(read.target, sets.get(unit.index) ?? unit.target)) {
      throw new FormatError('unrepresentable', 'the text cannot be kept in this format', unit.line, unit.column);
    }
  });
}

type ImplicitAddition = Editor<FormatUnit>['addsImplicitly'];

/**
 * Whether only the new strings were added and none removed, except blank ones (gaps in lists) and those that the format requires.
 */
function onlyExpected(
  before: readonly FormatUnit[],
  adds: readonly AddChange[],
  after: readonly FormatUnit[],
  addsImplicitly: ImplicitAddition,
): boolean {
  if (adds.length === 0) return false;
  const contextsBefore = new Set([...before, ...adds].map(({ context }) => context));
  const contextsAfter = new Set(after.map(({ context }) => context));
  const blank = (unit: FormatUnit): boolean => unit.target.every((text) => text === '');
  const isImplicit = (unit: FormatUnit): boolean =>
    addsImplicitly !== undefined && adds.some((change) => addsImplicitly(unit, change));
  return (
    before.every((unit) => contextsAfter.has(unit.context) || blank(unit)) &&
    after.every((unit) => contextsBefore.has(unit.context) || blank(unit) || isImplicit(unit))
  );
}

type Keyed = Pick<FormatUnit, 'context' | 'source' | 'target'>;

/** Identity of a string within its file. */
function keyOf(monolingual: boolean, { context, source }: Keyed): string {
  return monolingual ? context : [context, ...source].join('\0');
}

/** Equal except for trailing blank forms, which some formats omit. */
function sameForms(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) if ((a[i] ?? '') !== (b[i] ?? '')) return false;
  return true;
}
