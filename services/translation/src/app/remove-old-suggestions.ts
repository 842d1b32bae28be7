import { Action } from '../domain/change';
import type { Suggestion } from '../domain/ports';
import { PLURAL_SEPARATOR } from './conflicts';
import type { Parts } from './parts';
import { changeOf, numberChanges, outboxItem } from './text-edit';

const nobody = { userId: 0, username: '', fullName: '', email: '' };

/**
 * Removes suggestions that were made before a time. The unit is written first, with the count of what stays: an interruption leaves
 * nothing that the next run does not put right.
 * @returns how many were removed
 */
export async function removeOldSuggestions(parts: Parts, component: number, before: number): Promise<number> {
  const byUnit = new Map<number, Suggestion[]>();
  for (const suggestion of await parts.suggestions.older(component, before))
    byUnit.set(suggestion.unit, [...(byUnit.get(suggestion.unit) ?? []), suggestion]);
  let removed = 0;
  for (const [id, old] of byUnit) {
    await writeUnit(parts, id, old, before);
    await parts.suggestions.remove(old.map((suggestion) => suggestion.id));
    removed += old.length;
  }
  return removed;
}

async function writeUnit(parts: Parts, id: number, old: readonly Suggestion[], before: number): Promise<void> {
  for (let unit = await parts.units.get(id); unit; unit = await parts.units.get(id)) {
    const now = parts.now();
    const of = unit;
    const changes = await numberChanges(
      parts,
      old.map(({ target }) =>
        changeOf(of, nobody, now, Action.suggestionCleanedUp, target.join(PLURAL_SEPARATOR), '', {}),
      ),
    );
    const patch = { suggestions: await parts.suggestions.countNewer(id, before), updated: now };
    const outbox = outboxItem(unit, patch, changes, now);
    if (!(await parts.units.write({ unit: id, version: unit.version, patch, outbox }))) continue;
    await parts.effects.settle(id, outbox, null);
    return;
  }
}
