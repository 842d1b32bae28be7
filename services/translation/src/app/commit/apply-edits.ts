import {
  FormatError,
  keepsApproval,
  type Change as FileChange,
  type FormatFile,
  type FormatUnit,
} from '@parlance/formats';
import type { Removal } from '../../domain/pending';
import { isBlank, sameTexts, type PendingEdit, type Unit } from '../../domain/unit';
import { ParsedFileCache, type FileLanguage, type FileSettings } from './parsed-files';

/** Names of states in files. */
export const stateNames: Record<number, FormatUnit['state']> = {
  0: 'empty',
  10: 'fuzzy',
  20: 'translated',
  30: 'approved',
  100: 'readonly',
};

export interface AppliedEdits {
  bytes: Buffer;
  editIds: string[];
  /** Edits that the file format cannot express, with the reason. */
  skipped: { unit: number; edit: string; reason: string }[];
  changed: boolean;
}

/** One for this thread. */
const parsedFiles = new ParsedFileCache();

/** An edit with the fields of its unit that a file stores. */
export interface FileEdit {
  unit: Pick<Unit, 'id' | 'key' | 'context' | 'source' | 'note' | 'location' | 'flags'>;
  edit: Pick<PendingEdit, 'id' | 'target' | 'state'>;
}

/** A file with the edits and removals to apply. */
export interface EditedFile {
  component: FileSettings;
  language: FileLanguage;
  bytes: Buffer;
  /** At most one for each string. */
  edits: readonly FileEdit[];
  removals: readonly Pick<Removal, 'id' | 'key' | 'addedAgain'>[];
  /** Base file, from which added strings are copied; null: none; undefined: not read yet. */
  base: Buffer | null | undefined;
}

/**
 * Applies edits to a file's bytes. Bytes of other strings do not change. Missing strings are copied from the base.
 * @returns `needs-base` when strings are missing and the base was not given
 */
export function applyEdits({
  component,
  language,
  bytes,
  edits,
  removals,
  base,
}: EditedFile): AppliedEdits | 'needs-base' {
  const monolingual = component.template !== '';
  const { file, byKey: present } = parsedFiles.parse(component, language, bytes);
  const result: AppliedEdits = { bytes, editIds: [], skipped: [], changed: false };
  const wanted = new Set(edits.map(({ unit }) => unit.key));
  const entries: Entry[] = [
    ...edits.map(({ unit, edit }) => ({
      id: edit.id,
      unit: unit.id,
      change: changeFor(file.format, present.get(unit.key), unit, edit, monolingual),
    })),
    ...removals.map(({ id, key, addedAgain }): Entry => {
      // A string that was added again stays in the file.
      const inFile = addedAgain || wanted.has(key) ? undefined : present.get(key);
      return { id, unit: 0, change: inFile ? { op: 'remove', index: inFile.index } : null };
    }),
  ];
  if (base === undefined && entries.some(({ change }) => change?.op === 'add')) return 'needs-base';
  const kept: Entry[] = [];
  // Bisects: an edit that the format cannot express must not block the others.
  const keep = (some: readonly Entry[]): void => {
    const written = attempt(file, [...kept, ...some], base ?? null);
    if (!(written instanceof FormatError)) {
      result.bytes = written;
      kept.push(...some);
    } else if (some.length < 2)
      result.skipped.push(...some.map(({ unit, id }) => ({ unit, edit: id, reason: written.message })));
    else {
      keep(some.slice(0, some.length / 2));
      keep(some.slice(some.length / 2));
    }
  };
  keep(entries);
  result.editIds = kept.map(({ id }) => id);
  result.changed = !result.bytes.equals(bytes);
  return result;
}

/** An edit or removal with its change of the file; null: no change. */
interface Entry {
  id: string;
  unit: number;
  change: FileChange | null;
}

/** The file with some changes, or the error when it cannot contain all of them. */
function attempt(file: FormatFile, entries: readonly Entry[], base: Buffer | null): Buffer | FormatError {
  try {
    return file.apply(
      entries.flatMap(({ change }) => (change ? [change] : [])),
      base ?? undefined,
    );
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

function changeFor(
  format: string,
  inFile: FormatUnit | undefined,
  unit: FileEdit['unit'],
  edit: FileEdit['edit'],
  monolingual: boolean,
): FileChange | null {
  const state = stateNames[edit.state] ?? 'translated';
  if (inFile) {
    const sameState =
      inFile.state === state || (state === 'approved' && inFile.state === 'translated' && !keepsApproval(format));
    if (sameTexts(inFile.target, edit.target) && sameState) return null;
    return { op: 'set', index: inFile.index, target: edit.target, ...(sameState ? {} : { state }) };
  }
  if (monolingual && isBlank(edit.target)) return null;
  return {
    op: 'add',
    context: unit.context,
    source: unit.source,
    target: edit.target,
    state,
    note: unit.note,
    location: unit.location,
    flags: unit.flags ? unit.flags.split(', ') : [],
  };
}
