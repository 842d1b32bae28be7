import { formatOf, FormatError, type Change as FileChange, type FormatFile, type FormatUnit } from '@parlance/formats';
import { logger } from '@parlance/telemetry';
import type { Component, Language } from '../../domain/component';
import { commitRule, committable, groupPending, type PendingGroup, type Removal } from '../../domain/pending';
import type { Repository } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import { idHash, isBlank, sameTexts, type Author, type PendingEdit, type Unit } from '../../domain/unit';
import type { Parts } from '../parts';
import { removalsOf } from './removals';

/** States as files name them. */
export const stateNames: Record<number, FormatUnit['state']> = {
  0: 'empty',
  10: 'fuzzy',
  20: 'translated',
  30: 'approved',
  100: 'readonly',
};

export interface Rendered {
  bytes: Buffer;
  editIds: string[];
  /** Edits that the file cannot hold, by unit, and why. */
  skipped: { unit: number; edit: string; reason: string }[];
  changed: boolean;
}

/** Reads a file of a component. */
export function parseFile(component: Component, language: Language, bytes: Buffer): FormatFile {
  return formatOf(component.fileFormat).parse(bytes, {
    language: language.code,
    sourceLanguage: component.sourceLanguage.code,
    plural: { count: language.pluralNumber, formula: language.pluralFormula },
    params: component.fileFormatParams,
    monolingual: component.template !== '',
  });
}

/** The units of a file by the key that the store knows them under. */
export function unitsByKey(file: FormatFile, monolingual: boolean): Map<string, FormatUnit> {
  const map = new Map<string, FormatUnit>();
  for (const unit of file.units) {
    const key = idHash(monolingual, unit.context, monolingual ? [] : unit.source);
    if (!map.has(key)) map.set(key, unit);
  }
  return map;
}

/** Reads the file that a component's strings come from; null where there is none. */
export type BaseReader = () => Promise<Buffer | null>;

/** The base of a file: the template of a monolingual component, else what new languages start from. Nothing is its own base. */
export function baseOf(
  repository: Pick<Repository, 'readFile'>,
  component: Component,
  { filename }: Pick<Translation, 'filename'>,
): BaseReader {
  const path = component.template || component.newBase;
  return async () =>
    path === '' || path === filename ? null : ((await repository.readFile(component.id, path))?.bytes ?? null);
}

/**
 * Puts edits into a file's bytes. Whatever is not edited stays as it is, byte for byte. Strings that the file lacks become copies of
 * the base's entries, which is read only for such.
 */
export async function renderEdits(
  component: Component,
  language: Language,
  bytes: Buffer,
  edits: readonly { unit: Unit; edit: PendingEdit }[],
  removals: readonly Removal[] = [],
  readBase: BaseReader = async () => null,
): Promise<Rendered> {
  const monolingual = component.template !== '';
  const file = parseFile(component, language, bytes);
  const present = unitsByKey(file, monolingual);
  const result: Rendered = { bytes, editIds: [], skipped: [], changed: false };
  const wanted = new Set(edits.map(({ unit }) => unit.key));
  const entries: Entry[] = [
    ...edits.map(({ unit, edit }) => ({
      id: edit.id,
      unit: unit.id,
      change: changeFor(present.get(unit.key), unit, edit, monolingual),
    })),
    ...removals.map(({ id, key, addedAgain }): Entry => {
      // A string that was removed and added again stays.
      const inFile = addedAgain || wanted.has(key) ? undefined : present.get(key);
      return { id, unit: 0, change: inFile ? { op: 'remove', index: inFile.index } : null };
    }),
  ];
  const adds = entries.some(({ change }) => change?.op === 'add');
  const base = adds ? await readBase() : null;
  const kept: Entry[] = [];
  // One edit that the format cannot hold, alone or beside the others, must not keep the others from being committed.
  const keep = (some: readonly Entry[]): void => {
    const written = attempt(file, [...kept, ...some], base);
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
  if (result.skipped.length > 0)
    logger.warn({ component: component.id, skipped: result.skipped }, 'some edits cannot be written to their file');
  result.changed = !result.bytes.equals(bytes);
  return result;
}

/** An edit or removal with what it changes in the file; null: nothing. */
interface Entry {
  id: string;
  unit: number;
  change: FileChange | null;
}

/** The file with some changes, or why it cannot hold all of them. */
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

/**
 * The intermediate file without the strings that a group removes: what translators write does not concern it, but a string that stayed
 * there would come back with the next import.
 */
export async function renderRemovals(
  component: Component,
  language: Language,
  bytes: Buffer,
  group: Pick<PendingGroup, 'edits' | 'removals'> | null,
): Promise<Rendered> {
  const added = new Set(group?.edits.map(({ unit }) => unit.key));
  const removals = group?.removals.filter(({ key, addedAgain }) => !addedAgain && !added.has(key));
  return renderEdits(component, language, bytes, [], removals);
}

function changeFor(
  inFile: FormatUnit | undefined,
  unit: Unit,
  edit: PendingEdit,
  monolingual: boolean,
): FileChange | null {
  const state = stateNames[edit.state] ?? 'translated';
  if (inFile) {
    const sameState = inFile.state === state || (state === 'approved' && inFile.state === 'translated');
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

/** The edits of one group as they are now. */
export async function editsOfGroup(
  parts: Parts,
  component: Component,
  group: { translation: number; round: number; author: Author },
): Promise<PendingGroup | null> {
  const pending = await parts.units.pendingOfComponent(component.id);
  const units = committable(pending, commitRule(component)).filter((u) => u.translation === group.translation);
  const removals = (await removalsOf(parts, component.id, pending)).filter((r) => r.translation === group.translation);
  const { author } = group;
  return (
    groupPending(units, removals).find(
      (g) =>
        g.round === group.round &&
        g.author.userId === author.userId &&
        g.author.fullName === author.fullName &&
        g.author.email === author.email,
    ) ?? null
  );
}

/** A file as the repository will hold it once everything that waits and may be committed is. */
export async function renderAll(
  component: Component,
  translation: Translation,
  bytes: Buffer,
  units: readonly Unit[],
  removals: readonly Removal[],
  readBase: BaseReader,
): Promise<Buffer> {
  const edits = committable(units, commitRule(component)).map((unit) => ({ unit, edit: unit.edits.at(-1)! }));
  if (edits.length + removals.length === 0) return bytes;
  return (await renderEdits(component, translation.language, bytes, edits, removals, readBase)).bytes;
}
