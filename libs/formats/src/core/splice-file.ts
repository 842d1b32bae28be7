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

/** How one format turns changes into replaced characters. A missing function means that the format cannot do it. */
export interface Editor<U extends FormatUnit> {
  set(unit: U, change: SetChange): Edit[];
  remove?(units: readonly U[]): Edit[];
  add?(changes: readonly AddChange[]): Edit[];
  header?(change: HeaderChange): Edit[];
  /** Whether a new string comes with another one that nobody asked for. */
  brings?(unit: FormatUnit, change: AddChange): boolean;
}

/** Files above this size are not read again after writing: time matters more there, and the splice itself touches nothing else. */
const VERIFY_BYTES = 2 * 1024 * 1024;

/** The part of a text format's file that is the same everywhere: checks changes, splices, reads the result back. */
export class SpliceFile<U extends FormatUnit> implements FormatFile {
  constructor(
    readonly format: string,
    readonly document: TextDocument,
    readonly units: readonly U[],
    readonly metadata: FileMetadata,
    private readonly editor: Editor<U>,
    protected readonly reparse: (bytes: Buffer) => FormatFile,
  ) {}

  apply(changes: readonly Change[]): Buffer {
    checkChanges(this, changes);
    const adds = changes.filter((change) => change.op === 'add');
    const edits = this.edits(changes);
    let bytes: Buffer;
    if (adds.length === 0) bytes = this.document.splice(edits);
    else if (edits.length > 0) return this.reparse(this.document.splice(edits)).apply(adds);
    else bytes = this.document.splice(this.required(this.editor.add, 'add').call(this.editor, adds));
    if (changes.length > 0 && bytes.length <= VERIFY_BYTES)
      verify(this, changes, this.reparse(bytes), this.editor.brings);
    return bytes;
  }

  private edits(changes: readonly Change[]): Edit[] {
    const removed = changes.filter((change) => change.op === 'remove').map((change) => this.unit(change.index));
    const edits: Edit[] = [];
    for (const change of changes) {
      if (change.op === 'set') edits.push(...this.editor.set(this.unit(change.index), change));
      else if (change.op === 'header') edits.push(...(this.editor.header?.(change) ?? []));
    }
    // A file can have more strings than a call can have arguments.
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

/** Refuses changes that name no unit, name one twice, or hold no text. */
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
    if (change.target.length === 0) throw new FormatError('invalid-change', 'a target needs at least one string');
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

function verify(before: FormatFile, changes: readonly Change[], after: FormatFile, brings: Brings): void {
  const sets = new Map<number, readonly string[]>();
  const removed = new Set<number>();
  for (const change of changes) {
    if (change.op === 'set') sets.set(change.index, change.target);
    else if (change.op === 'remove') removed.add(change.index);
  }
  const expected = before.units.filter((unit) => !removed.has(unit.index));
  const adds = changes.filter((change) => change.op === 'add');
  if (after.units.length !== expected.length + adds.length && !onlyExpected(expected, adds, after.units, brings)) {
    throw new FormatError('unrepresentable', 'the change would alter other strings of the file');
  }
  if (adds.length > 0) {
    const found = new Map(after.units.map((unit) => [unitKey(unit.context, unit.source), unit]));
    for (const add of adds) {
      const unit = found.get(unitKey(add.context, add.source));
      if (unit && sameForms(unit.target, add.target)) continue;
      // A format may extend the key, or make one where none was given.
      const kept = after.units.some(
        (u) => sameForms(u.target, add.target) && (u.context.endsWith(add.context) || u.source[0] === add.source[0]),
      );
      if (!kept) throw new FormatError('unrepresentable', 'the new string cannot be kept in this format');
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

type Brings = Editor<FormatUnit>['brings'];

/**
 * Whether new strings came with no others and took none away, but for blank ones (a list is filled up to a place in it, a key without a
 * value becomes a list) and those that the format needs.
 */
function onlyExpected(
  before: readonly FormatUnit[],
  adds: readonly AddChange[],
  after: readonly FormatUnit[],
  brings: Brings,
): boolean {
  if (adds.length === 0) return false;
  const had = new Set([...before, ...adds].map(({ context }) => context));
  const has = new Set(after.map(({ context }) => context));
  const blank = (unit: FormatUnit): boolean => unit.target.every((text) => text === '');
  const brought = (unit: FormatUnit): boolean => brings !== undefined && adds.some((change) => brings(unit, change));
  return (
    before.every((unit) => has.has(unit.context) || blank(unit)) &&
    after.every((unit) => had.has(unit.context) || blank(unit) || brought(unit))
  );
}

function unitKey(context: string, source: readonly string[]): string {
  return [context, ...source].join('\0');
}

/** Equal but for blank forms at the end, which some formats leave out. */
function sameForms(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) if ((a[i] ?? '') !== (b[i] ?? '')) return false;
  return true;
}
