import { Action } from '../../domain/change';
import { nobody } from '../../domain/pending';
import { idHash, type Unit } from '../../domain/unit';
import { changeOf, historyText, numberChanges } from '../history';
import type { Parts } from '../parts';

/** A string that was changed here and upstream. The text from here stays; the other is kept as a suggestion and in the history. */
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
 * Keeps the upstream text of a conflict: a suggestion on the unit and two history entries. The same conflict recorded again (same
 * unit, same upstream state) changes nothing.
 * @returns whether it was new
 */
export async function recordConflict(parts: Parts, unit: Unit, conflict: Conflict, origin: string): Promise<boolean> {
  const time = parts.now();
  const suggestion = await parts.ids.next('suggestion');
  const fresh = await parts.suggestions.insert({
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
  if (!fresh) return false;
  const details = { conflict: true, kept: conflict.local, upstream: conflict.upstream, source: unit.source.join('\n') };
  const changes = [Action.mergeFailed, Action.suggestionAdded].map((action) =>
    changeOf(unit, nobody, time, action, historyText(conflict.upstream), historyText(conflict.local), details),
  );
  await parts.changes.insert(await numberChanges(parts, changes));
  return true;
}

/** Records the conflicts that merging files brought to light. Repeatable. */
export async function recordConflicts(
  parts: Parts,
  conflicts: readonly Conflict[],
  upstreamCommit: string,
): Promise<void> {
  for (const conflict of conflicts) {
    const unit = conflict.unit
      ? await parts.units.get(conflict.unit)
      : ((await parts.units.byKey(conflict.translation, idHash(false, conflict.context, conflict.source))) ??
        (await parts.units.byKey(conflict.translation, idHash(true, conflict.context, []))));
    if (!unit) continue;
    if (!(await recordConflict(parts, unit, conflict, upstreamCommit))) continue;
    for (let now: Unit | null = unit; now; now = await parts.units.get(unit.id)) {
      const written = await parts.units.write({
        unit: now.id,
        version: now.version,
        patch: { suggestions: now.suggestions + 1 },
      });
      if (written) break;
    }
    await parts.effects.recountTranslation(unit.translation, []);
  }
}
