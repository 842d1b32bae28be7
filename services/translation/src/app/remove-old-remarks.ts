import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../domain/change';
import { nobody } from '../domain/pending';
import type { AgingStore, Clock, CommentStore, SuggestionStore, UnitReader, UnitWriter } from '../domain/ports';
import { changeOf, historyText } from './history';
import { updateStored } from './edit/contention';
import { writeUnit, type WriteUnitsDeps } from './edit/write-units';

export interface RemoveRemarksDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter;
  suggestions: SuggestionStore;
  comments: CommentStore;
}

/** How one kind of remark is removed. */
interface Kind<T> {
  store: AgingStore<T>;
  action: number;
  /** Counter field of the unit. */
  count: 'suggestions' | 'comments';
  /** Text of the history entry. */
  text: (remark: T) => string;
  /** Whether to remove it. */
  goes: (remark: T) => boolean;
}

/** Removes suggestions older than a time with at most `maxVotes` votes. @returns the number removed */
export const removeOldSuggestions = (
  deps: RemoveRemarksDeps,
  component: number,
  before: number,
  maxVotes: number,
): Promise<number> =>
  removeOld(deps, component, before, {
    store: deps.suggestions,
    action: Action.suggestionCleanedUp,
    count: 'suggestions',
    text: ({ target }) => historyText(target),
    goes: ({ votes = [] }) => votes.length <= maxVotes,
  });

/** The same for comments. */
export const removeOldComments = (deps: RemoveRemarksDeps, component: number, before: number): Promise<number> =>
  removeOld(deps, component, before, {
    store: deps.comments,
    action: Action.commentRemoved,
    count: 'comments',
    text: ({ text }) => text,
    goes: () => true,
  });

/**
 * Writes the unit first, with the count of the remaining remarks: the next run repairs an interruption.
 */
async function removeOld<T extends { id: number; unit: number }>(
  deps: RemoveRemarksDeps,
  component: number,
  before: number,
  kind: Kind<T>,
): Promise<number> {
  const byUnit = new Map<number, T[]>();
  for (const remark of await kind.store.older(component, before))
    byUnit.set(remark.unit, [...(byUnit.get(remark.unit) ?? []), remark]);
  let removed = 0;
  for (const [id, all] of byUnit) {
    const old = all.filter(kind.goes);
    if (old.length === 0) continue;
    await removeFromUnit(deps, id, old, all.length - old.length, before, kind);
    await kind.store.remove(old.map((remark) => remark.id));
    removed += old.length;
  }
  return removed;
}

async function removeFromUnit<T>(
  deps: RemoveRemarksDeps,
  id: number,
  old: readonly T[],
  staying: number,
  before: number,
  { store, action, count, text }: Kind<T>,
): Promise<void> {
  await updateStored(deps, id, async (unit) => {
    const now = deps.now();
    const changes = old.map((remark) => changeOf(unit, nobody, now, action, text(remark), '', {}));
    const patch = { [count]: staying + (await store.countNewer(id, before)), updated: now };
    if (!(await writeUnit(deps, { unit, patch, changes }, { author: null, time: now }))) return LOST_RACE;
  });
}
