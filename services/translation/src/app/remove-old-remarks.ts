import { Action } from '../domain/change';
import type { AgingStore } from '../domain/ports';
import { PLURAL_SEPARATOR } from './conflicts';
import type { Parts } from './parts';
import { changeOf, numberChanges, outboxItem } from './text-edit';

const nobody = { userId: 0, username: '', fullName: '', email: '' };

type Needed = Pick<Parts, 'units' | 'suggestions' | 'comments' | 'effects' | 'ids' | 'now'>;

/** How one kind of remark is removed. */
interface Kind<T> {
  store: AgingStore<T>;
  action: number;
  /** Count of the unit that the remarks make up. */
  count: 'suggestions' | 'comments';
  /** What the history shows. */
  text: (remark: T) => string;
}

/** Removes suggestions that were made in a component before a time; answers how many. */
export const removeOldSuggestions = (parts: Needed, component: number, before: number): Promise<number> =>
  removeOld(parts, component, before, {
    store: parts.suggestions,
    action: Action.suggestionCleanedUp,
    count: 'suggestions',
    text: ({ target }) => target.join(PLURAL_SEPARATOR),
  });

/** The same for comments. */
export const removeOldComments = (parts: Needed, component: number, before: number): Promise<number> =>
  removeOld(parts, component, before, {
    store: parts.comments,
    action: Action.commentRemoved,
    count: 'comments',
    text: ({ text }) => text,
  });

/**
 * The unit is written first, with the count of what stays: an interruption leaves nothing that the next run does not put right.
 */
async function removeOld<T extends { id: number; unit: number }>(
  parts: Needed,
  component: number,
  before: number,
  kind: Kind<T>,
): Promise<number> {
  const byUnit = new Map<number, T[]>();
  for (const remark of await kind.store.older(component, before))
    byUnit.set(remark.unit, [...(byUnit.get(remark.unit) ?? []), remark]);
  let removed = 0;
  for (const [id, old] of byUnit) {
    await writeUnit(parts, id, old, before, kind);
    await kind.store.remove(old.map((remark) => remark.id));
    removed += old.length;
  }
  return removed;
}

async function writeUnit<T>(
  parts: Needed,
  id: number,
  old: readonly T[],
  before: number,
  { store, action, count, text }: Kind<T>,
): Promise<void> {
  for (let unit = await parts.units.get(id); unit; unit = await parts.units.get(id)) {
    const now = parts.now();
    const of = unit;
    const changes = await numberChanges(
      parts,
      old.map((remark) => changeOf(of, nobody, now, action, text(remark), '', {})),
    );
    const patch = { [count]: await store.countNewer(id, before), updated: now };
    const outbox = outboxItem(unit, patch, changes, now);
    if (!(await parts.units.write({ unit: id, version: unit.version, patch, outbox }))) continue;
    await parts.effects.settle(id, outbox, null);
    return;
  }
}
