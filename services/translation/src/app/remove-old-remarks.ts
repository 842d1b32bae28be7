import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../domain/change';
import { NO_AUTHOR } from '../domain/pending';
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
interface RemarkKind<T> {
  store: AgingStore<T>;
  action: number;
  /** Counter field of the unit. */
  counterField: 'suggestions' | 'comments';
  /** Text of the history entry. */
  text: (remark: T) => string;
  /** Whether to remove it. */
  isRemovable: (remark: T) => boolean;
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
    counterField: 'suggestions',
    text: ({ target }) => historyText(target),
    isRemovable: ({ votes = [] }) => votes.length <= maxVotes,
  });

/** The same for comments. */
export const removeOldComments = (deps: RemoveRemarksDeps, component: number, before: number): Promise<number> =>
  removeOld(deps, component, before, {
    store: deps.comments,
    action: Action.commentRemoved,
    counterField: 'comments',
    text: ({ text }) => text,
    isRemovable: () => true,
  });

/**
 * Writes the unit first, with the count of the remaining remarks: the next run repairs an interruption.
 */
async function removeOld<T extends { id: number; unit: number }>(
  deps: RemoveRemarksDeps,
  component: number,
  before: number,
  kind: RemarkKind<T>,
): Promise<number> {
  const byUnit = new Map<number, T[]>();
  for (const remark of await kind.store.older(component, before))
    byUnit.set(remark.unit, [...(byUnit.get(remark.unit) ?? []), remark]);
  let removed = 0;
  for (const [id, all] of byUnit) {
    const old = all.filter(kind.isRemovable);
    if (old.length === 0) continue;
    await removeFromUnit(deps, id, old, all.length - old.length, before, kind);
    await kind.store.remove(old);
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
  { store, action, counterField: count, text }: RemarkKind<T>,
): Promise<void> {
  await updateStored(deps, id, async (unit) => {
    const now = deps.now();
    const changes = old.map((remark) => changeOf(unit, NO_AUTHOR, now, action, text(remark), '', {}));
    const patch = { [count]: staying + (await store.countNewer(id, before)), updated: now };
    if (!(await writeUnit(deps, { unit, patch, changes }, { author: null, time: now }))) return LOST_RACE;
  });
}
