import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import { NO_AUTHOR } from '../../domain/pending';
import { idHash, isBlank, type Unit } from '../../domain/unit';
import {
  changeOf,
  changeOfTranslation,
  historyText,
  numberChanges,
  recordChanges,
  type RecordChangesDeps,
} from '../history';
import type { Clock, SuggestionStore, TranslationReader, UnitKeys, UnitReader, UnitWriter } from '../../domain/ports';
import { updateStored } from '../edit/contention';
import type { UnitEffects } from '../effects/unit-effects';

export interface RecordConflictDeps extends RecordChangesDeps, Clock {
  suggestions: Pick<SuggestionStore, 'insert'>;
}

export interface RecordConflictsDeps extends RecordConflictDeps {
  units: UnitReader & UnitKeys & UnitWriter;
  suggestions: Pick<SuggestionStore, 'insert' | 'countNewer'>;
  translations: Pick<TranslationReader, 'get'> & RecordChangesDeps['translations'];
  effects: Pick<UnitEffects, 'recountTranslation'>;
}

/**
 * A string that changed locally and upstream. The local text stays; the upstream text becomes a suggestion and a history entry. A
 * locally deleted string has no local text: the file keeps the upstream text.
 */
export interface Conflict {
  translation: number;
  /** 0 when only context and source are known. */
  unit: number;
  context: string;
  source: string[];
  local: string[];
  upstream: string[];
}

/**
 * Stores the upstream text of a conflict as a suggestion with two history entries; an upstream deletion as one history entry.
 * Idempotent for the same unit and origin.
 * @returns whether a suggestion was added
 */
export async function recordConflict(
  deps: RecordConflictDeps,
  unit: Unit,
  conflict: Conflict,
  origin: string,
): Promise<boolean> {
  const time = deps.now();
  const details = { conflict: true, kept: conflict.local, upstream: conflict.upstream, source: unit.source.join('\n') };
  const entry = (action: number) =>
    changeOf(unit, NO_AUTHOR, time, action, historyText(conflict.upstream), historyText(conflict.local), details);
  if (isBlank(conflict.upstream)) {
    await recordChanges(deps, [{ ...entry(Action.mergeFailed), once: `conflict ${origin} ${unit.id}` }]);
    return false;
  }
  const suggestion = await deps.ids.next('suggestion');
  const inserted = await deps.suggestions.insert({
    id: suggestion,
    unit: unit.id,
    translation: unit.translation,
    component: unit.component,
    project: unit.project,
    target: conflict.upstream,
    user: 0,
    time,
    origin: `${origin}:${unit.id}`,
  });
  if (!inserted) return false;
  await deps.changes.insert(await numberChanges(deps, [Action.mergeFailed, Action.suggestionAdded].map(entry)));
  return true;
}

/** Records the conflicts of a file merge. Idempotent. */
export async function recordConflicts(
  deps: RecordConflictsDeps,
  conflicts: readonly Conflict[],
  upstreamCommit: string,
): Promise<void> {
  for (const conflict of conflicts) {
    const unit = conflict.unit
      ? await deps.units.get(conflict.unit)
      : ((await deps.units.byKey(conflict.translation, idHash(false, conflict.context, conflict.source))) ??
        (await deps.units.byKey(conflict.translation, idHash(true, conflict.context, []))));
    if (!unit) {
      if (isBlank(conflict.local)) await recordDeletedString(deps, conflict, upstreamCommit);
      continue;
    }
    if (!(await recordConflict(deps, unit, conflict, upstreamCommit))) continue;
    const count = async ({ id, version }: Unit) => {
      const suggestions = await deps.suggestions.countNewer(id, 0);
      const written = await deps.units.write({ unit: id, version, patch: { suggestions } });
      return written ? undefined : LOST_RACE;
    };
    await updateStored(deps, unit.id, count, unit);
    await deps.effects.recountTranslation(unit.translation, []);
  }
}

/** Records a string that was deleted locally while its text changed upstream. */
async function recordDeletedString(
  deps: RecordConflictsDeps,
  conflict: Conflict,
  upstreamCommit: string,
): Promise<void> {
  const translation = await deps.translations.get(conflict.translation);
  if (!translation) return;
  const { context, source, upstream } = conflict;
  const details = { conflict: true, deleted: true, upstream, source: source.join('\n'), context };
  const change = changeOfTranslation(translation, NO_AUTHOR, NO_AUTHOR.userId, deps.now(), Action.mergeFailed, details);
  const once = `conflict ${upstreamCommit} ${translation.id} ${idHash(false, context, source)}`;
  await recordChanges(deps, [{ ...change, target: historyText(upstream), once }]);
}
