import { formatOf, FormatError, type Change as FileChange, type FormatFile, type FormatUnit } from '@parlance/formats';
import { logger } from '@parlance/telemetry';
import type { Component, Language } from '../../domain/component';
import { commitRule, committable, groupPending, type PendingGroup, type Removal } from '../../domain/pending';
import type { Translation } from '../../domain/translation';
import { idHash, isBlank, sameTexts, type Author, type PendingEdit, type Unit } from '../../domain/unit';
import type { Parts } from '../parts';

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

/** Puts edits into a file's bytes. Whatever is not edited stays as it is, byte for byte. */
export function renderEdits(
  component: Component,
  language: Language,
  bytes: Buffer,
  edits: readonly { unit: Unit; edit: PendingEdit }[],
  removals: readonly Removal[] = [],
): Rendered {
  const monolingual = component.template !== '';
  const file = parseFile(component, language, bytes);
  const present = unitsByKey(file, monolingual);
  const changes: FileChange[] = [];
  const result: Rendered = { bytes, editIds: [], skipped: [], changed: false };
  const attempt = (list: readonly FileChange[]): Buffer | FormatError => {
    try {
      return file.apply(list);
    } catch (error) {
      if (error instanceof FormatError) return error;
      throw error;
    }
  };
  const accepted: { id: string; change: FileChange | null; unit: number }[] = [];
  for (const { unit, edit } of edits) {
    const change = changeFor(present.get(unit.key), unit, edit, monolingual);
    accepted.push({ id: edit.id, change, unit: unit.id });
    if (change) changes.push(change);
  }
  const wanted = new Set(edits.map(({ unit }) => unit.key));
  for (const removal of removals) {
    // A string that was removed and added again stays.
    const inFile = wanted.has(removal.key) ? undefined : present.get(removal.key);
    const change: FileChange | null = inFile ? { op: 'remove', index: inFile.index } : null;
    accepted.push({ id: removal.id, change, unit: 0 });
    if (change) changes.push(change);
  }
  let written = attempt(changes);
  if (written instanceof FormatError) {
    // One edit that the format cannot hold must not keep the others from being committed.
    changes.length = 0;
    for (const entry of accepted) {
      const alone = entry.change && attempt([entry.change]);
      if (alone instanceof FormatError) {
        result.skipped.push({ unit: entry.unit, edit: entry.id, reason: alone.message });
        continue;
      }
      if (entry.change) changes.push(entry.change);
      result.editIds.push(entry.id);
    }
    written = file.apply(changes);
    logger.warn({ component: component.id, skipped: result.skipped }, 'some edits cannot be written to their file');
  } else result.editIds = accepted.map((a) => a.id);
  result.changed = !written.equals(bytes);
  result.bytes = written;
  return result;
}

/**
 * The intermediate file without the strings that a group removes: what translators write does not concern it, but a string that stayed
 * there would come back with the next import.
 */
export function renderRemovals(
  component: Component,
  language: Language,
  bytes: Buffer,
  group: Pick<PendingGroup, 'edits' | 'removals'> | null,
): Rendered {
  const added = new Set(group?.edits.map(({ unit }) => unit.key));
  const removals = group?.removals.filter(({ key }) => !added.has(key));
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
  const units = committable(await parts.units.pendingOfComponent(component.id), commitRule(component)).filter(
    (u) => u.translation === group.translation,
  );
  const removals = (await parts.removals.ofComponent(component.id)).filter((r) => r.translation === group.translation);
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
export function renderAll(
  component: Component,
  translation: Translation,
  bytes: Buffer,
  units: readonly Unit[],
  removals: readonly Removal[],
): Buffer {
  const edits = committable(units, commitRule(component)).map((unit) => ({ unit, edit: unit.edits.at(-1)! }));
  return edits.length + removals.length === 0
    ? bytes
    : renderEdits(component, translation.language, bytes, edits, removals).bytes;
}
