import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import {
  afterCommit,
  commitRule,
  committable,
  groupPending,
  isIn,
  isRenamed,
  type PendingGroup,
} from '../../domain/pending';
import { State, isBlank, timeAfter, type Author, type Unit } from '../../domain/unit';
import { anonymizeAuthor, type AnonymizeAuthorDeps } from '../anonymize-author';
import { changeOf, historyText } from '../history';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';
import { removalsOf, type RemovalsDeps } from './removals';
import type {
  Catalog,
  Clock,
  PendingUnits,
  RemovalStore,
  TranslationReader,
  TranslationWriter,
  UnitReader,
  UnitWriter,
  UserLookup,
} from '../../domain/ports';
import type { Judges, SourceFlags, TranslationInfo } from '../caches/interfaces';

export interface ListPendingDeps extends RemovalsDeps, AnonymizeAuthorDeps {
  units: RemovalsDeps['units'] & AnonymizeAuthorDeps['units'] & PendingUnits;
  removals: RemovalStore;
  entities: Pick<UserLookup, 'deletedUsers'>;
}

export interface HasPendingDeps {
  units: Pick<PendingUnits, 'anyPending'>;
  removals: Pick<RemovalStore, 'anyOf'>;
}

export interface MarkCommittedDeps {
  units: UnitReader & UnitWriter & PendingUnits;
  translations: TranslationReader & TranslationWriter;
  removals: Pick<RemovalStore, 'remove'>;
}

export interface DiscardPendingDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter & PendingUnits;
  removals: Pick<RemovalStore, 'removeOfComponent'>;
  catalog: Catalog;
  translationInfo: TranslationInfo;
  judges: Judges;
  sourceFlags: SourceFlags;
}

/** What waits to be committed and may be, in the order of the commits to be made. */
export async function listPending(
  deps: ListPendingDeps,
  component: Component,
  translation: number,
): Promise<PendingGroup[]> {
  let waiting = await waitingOf(deps, component.id);
  // A commit is published for good, and an edit may have been saved while its author was being deleted.
  if (await forgetDeleted(deps, waiting)) waiting = await waitingOf(deps, component.id);
  const units = committable(waiting.units, commitRule(component));
  const { removals } = waiting;
  const wanted = (of: number) => !translation || of === translation;
  return groupPending(
    units.filter((u) => wanted(u.translation)),
    removals.filter((r) => wanted(r.translation)),
  );
}

async function waitingOf(deps: RemovalsDeps & { units: PendingUnits }, component: number) {
  const units = await deps.units.pendingOfComponent(component);
  return { units, removals: await removalsOf(deps, component, units) };
}

/** Gives what deleted users left waiting the names that they have now; says whether there was any under another. */
async function forgetDeleted(
  deps: ListPendingDeps,
  { units, removals }: Awaited<ReturnType<typeof waitingOf>>,
): Promise<boolean> {
  const waiting = [...units.flatMap(({ edits }) => edits), ...removals];
  const people = new Set(waiting.flatMap(({ author }) => author.userId || []));
  const deleted = people.size > 0 ? await deps.entities.deletedUsers([...people]) : [];
  const named = deleted.filter((person) => !isRenamed(waiting, person));
  for (const person of named) await anonymizeAuthor(deps, person);
  return named.length > 0;
}

/** Whether anything waits to be committed in some components, be it allowed or not. */
export async function hasPending(deps: HasPendingDeps, components: readonly number[]): Promise<boolean> {
  return (await deps.units.anyPending(components)) || (await deps.removals.anyOf(components));
}

/** Takes edits out of the waiting ones after a commit holds them. An edit that was made meanwhile stays. */
export async function markCommitted(
  deps: MarkCommittedDeps,
  translationId: number,
  editIds: readonly string[],
  revision: string,
): Promise<void> {
  const committed = new Set(editIds);
  const translation = await deps.translations.get(translationId);
  if (!translation) return;
  let todo = (await deps.units.pendingOfComponent(translation.component)).filter((unit) => isIn(committed, unit));
  while (todo.length > 0) {
    const late = await deps.units.writeMany(
      todo.map((unit) => ({ unit: unit.id, version: unit.version, patch: afterCommit(unit, committed) })),
    );
    todo = (await deps.units.many(late)).filter((unit) => isIn(committed, unit));
  }
  await deps.removals.remove(editIds);
  if (revision) await deps.translations.update(translationId, { revision });
}

/** Gives up pending edits: the texts go back to what the repository holds. The history keeps what was given up. */
export async function discardPending(deps: DiscardPendingDeps, component: number, by: Author): Promise<number> {
  const units = await deps.units.pendingOfComponent(component);
  // Strings that were deleted here come back with the next scan.
  await deps.removals.removeOfComponent(component);
  const settings = await deps.catalog.component(component, '');
  if (!settings) return 0;
  for (const first of units) {
    for (let unit: Unit | null = first; unit && unit.edits.length > 0; unit = await deps.units.get(first.id)) {
      const stored = unit.stored ?? { target: unit.target, state: unit.state };
      const translation = await deps.translationInfo.get(unit.translation);
      if (!translation) break;
      const state = isBlank(stored.target) ? State.empty : stored.state;
      const checks = deps.judges
        .for(settings, translation.language)
        .checks({ ...unit, target: stored.target, state, sourceExtraFlags: await deps.sourceFlags.of(unit) });
      const time = deps.now();
      const patch = {
        target: stored.target,
        state,
        checks,
        edits: [],
        stored: undefined,
        updated: timeAfter(unit, time),
      };
      const changes = [
        changeOf(unit, by, time, Action.reverted, historyText(stored.target), historyText(unit.target), {
          reason: 'repository reset',
        }),
      ];
      if (await writeUnit(deps, { unit, patch, changes }, { author: by, time })) break;
    }
  }
  return units.length;
}
