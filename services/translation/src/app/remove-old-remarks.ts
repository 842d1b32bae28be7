import { Action } from '../domain/change';
import { nobody } from '../domain/pending';
import type { AgingStore } from '../domain/ports';
import type { Deps } from './deps';
import { changeOf, historyText } from './history';
import { writeUnit } from './edit/write-units';

type Needed = Pick<Deps, 'units' | 'suggestions' | 'comments' | 'effects' | 'newcomers' | 'ids' | 'now'>;

/** How one kind of remark is removed. */
interface Kind<T> {
  store: AgingStore<T>;
  action: number;
  /** Count of the unit that the remarks make up. */
  count: 'suggestions' | 'comments';
  /** What the history shows. */
  text: (remark: T) => string;
  /** Whether it goes. */
  goes: (remark: T) => boolean;
}

/** Removes suggestions that were made in a component before a time and have at most so many votes; answers how many. */
export const removeOldSuggestions = (
  parts: Needed,
  component: number,
  before: number,
  maxVotes: number,
): Promise<number> =>
  removeOld(parts, component, before, {
    store: parts.suggestions,
    action: Action.suggestionCleanedUp,
    count: 'suggestions',
    text: ({ target }) => historyText(target),
    goes: ({ votes = [] }) => votes.length <= maxVotes,
  });

/** The same for comments. */
export const removeOldComments = (parts: Needed, component: number, before: number): Promise<number> =>
  removeOld(parts, component, before, {
    store: parts.comments,
    action: Action.commentRemoved,
    count: 'comments',
    text: ({ text }) => text,
    goes: () => true,
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
  for (const [id, all] of byUnit) {
    const old = all.filter(kind.goes);
    if (old.length === 0) continue;
    await removeFromUnit(parts, id, old, all.length - old.length, before, kind);
    await kind.store.remove(old.map((remark) => remark.id));
    removed += old.length;
  }
  return removed;
}

async function removeFromUnit<T>(
  parts: Needed,
  id: number,
  old: readonly T[],
  staying: number,
  before: number,
  { store, action, count, text }: Kind<T>,
): Promise<void> {
  for (let unit = await parts.units.get(id); unit; unit = await parts.units.get(id)) {
    const now = parts.now();
    const of = unit;
    const changes = old.map((remark) => changeOf(of, nobody, now, action, text(remark), '', {}));
    const patch = { [count]: staying + (await store.countNewer(id, before)), updated: now };
    if (await writeUnit(parts, { unit, patch, changes }, { author: null, time: now })) return;
  }
}
