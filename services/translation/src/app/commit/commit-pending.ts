import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { groupBy } from '../../domain/group-by';
import {
  withoutCommitted,
  makeCommitRule,
  selectCommittable,
  groupPending,
  isCommitted,
  hasCurrentName,
  type PendingGroup,
} from '../../domain/pending';
import type { Translation } from '../../domain/translation';
import { State, isBlank, timeAfter, type Author, type Unit } from '../../domain/unit';
import { anonymizeAuthor, type AnonymizeAuthorDeps } from '../anonymize-author';
import { currentComponent } from '../caches/current-component';
import { changeOf, historyText } from '../history';
import { retryLost, updateStored } from '../edit/contention';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';
import { removalsOf, type RemovalsDeps } from './removals';
import type {
  Catalog,
  CatalogInvalidation,
  Clock,
  ContentGenerations,
  PendingUnits,
  RemovalStore,
  TranslationReader,
  TranslationWriter,
  UnitReader,
  UnitWriter,
  UserLookup,
} from '../../domain/ports';
import type { UnitEvaluators, SourceFlags, TranslationInfo } from '../caches/interfaces';

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
  contents: ContentGenerations;
}

export interface DiscardPendingDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter & PendingUnits;
  removals: Pick<RemovalStore, 'removeOfComponent'>;
  contents: ContentGenerations;
  catalog: Catalog & Pick<CatalogInvalidation, 'forget'>;
  translationInfo: TranslationInfo;
  evaluators: UnitEvaluators;
  sourceFlags: SourceFlags;
}

/** The pending edits of a component as one read found them. */
export interface PendingSnapshot {
  /** In commit order, without edits that the commit policy holds back. */
  groups: PendingGroup[];
  /** The units of the groups with all of their edits. */
  units: Unit[];
}

/** @param translation 0: all */
export async function readPending(
  deps: ListPendingDeps,
  component: Component,
  translation: number,
): Promise<PendingSnapshot> {
  let waiting = await loadCommittable(deps, component.id);
  // Published commits are final, and an edit may have been saved while its author was being deleted.
  if (await dropDeletedUnits(deps, waiting)) waiting = await loadCommittable(deps, component.id);
  const isWanted = (of: { translation: number }) => !translation || of.translation === translation;
  const units = waiting.units.filter(isWanted);
  const groups = groupPending(selectCommittable(units, makeCommitRule(component)), waiting.removals.filter(isWanted));
  return { groups, units };
}

export async function listPending(
  deps: ListPendingDeps,
  component: Component,
  translation: number,
): Promise<PendingGroup[]> {
  return (await readPending(deps, component, translation)).groups;
}

async function loadCommittable(deps: RemovalsDeps & { units: PendingUnits }, component: number) {
  const units = await deps.units.pendingOfComponent(component);
  return { units, removals: await removalsOf(deps, component, units) };
}

/** Anonymizes pending edits of deleted users. @returns whether any edit changed */
async function dropDeletedUnits(
  deps: ListPendingDeps,
  { units, removals }: Awaited<ReturnType<typeof loadCommittable>>,
): Promise<boolean> {
  const waiting = [...units.flatMap(({ edits }) => edits), ...removals];
  const people = new Set(waiting.flatMap(({ author }) => author.userId || []));
  const deleted = people.size > 0 ? await deps.entities.deletedUsers([...people]) : [];
  const named = deleted.filter((person) => !hasCurrentName(waiting, person));
  for (const person of named) await anonymizeAuthor(deps, person);
  return named.length > 0;
}

/** Includes edits that the commit policy holds back. */
export async function hasPending(deps: HasPendingDeps, components: readonly number[]): Promise<boolean> {
  return (await deps.units.anyPending(components)) || (await deps.removals.anyOf(components));
}

export interface CommittedFile {
  translation: number;
  editIds: readonly string[];
  /** Blob hash of the file; '': unknown. */
  revision: string;
}

/** Removes committed edits from the pending ones. Edits made since stay pending. */
export async function markCommitted(
  deps: MarkCommittedDeps,
  translation: number,
  editIds: readonly string[],
  revision: string,
): Promise<void> {
  const found = await deps.translations.get(translation);
  if (found) await markTranslation(deps, found, { editIds, revision }, await deps.units.pendingOfTranslation(found));
}

/**
 * The same for the files of one commit operation.
 * @param units the pending units as the operation read them; only those written since are read again
 */
export async function markAllCommitted(
  deps: MarkCommittedDeps,
  files: readonly CommittedFile[],
  units: readonly Unit[],
): Promise<void> {
  const known = new Map((await deps.translations.many(files.map((f) => f.translation))).map((t) => [t.id, t]));
  for (const [id, commits] of groupBy(files, (file) => file.translation)) {
    const translation = known.get(id);
    if (!translation) continue;
    const editIds = commits.flatMap((file) => file.editIds);
    const pending = units.filter((unit) => unit.translation === id);
    await markTranslation(deps, translation, { editIds, revision: commits.at(-1)!.revision }, pending);
  }
}

async function markTranslation(
  deps: MarkCommittedDeps,
  translation: Translation,
  { editIds, revision }: Omit<CommittedFile, 'translation'>,
  units: readonly Unit[],
): Promise<void> {
  const committed = new Set(editIds);
  const pending = units.filter((unit) => isCommitted(committed, unit));
  await retryLost(pending, async (todo) => {
    const late = await deps.units.writeMany(
      todo.map((unit) => ({ unit: unit.id, version: unit.version, patch: withoutCommitted(unit, committed) })),
    );
    return (await deps.units.many(late)).filter((unit) => isCommitted(committed, unit));
  });
  await deps.removals.remove(editIds);
  if (revision) await deps.translations.update(translation.id, { revision });
  await deps.contents.changed([translation]);
}

/** Reverts pending edits to the texts of the repository. The history keeps the discarded texts. */
export async function discardPending(deps: DiscardPendingDeps, component: number, by: Author): Promise<number> {
  const units = await deps.units.pendingOfComponent(component);
  // The next scan restores strings that were deleted here.
  await deps.removals.removeOfComponent(component);
  const settings = await currentComponent(deps.catalog, component);
  if (!settings) return 0;
  for (const first of units) {
    const discard = async (unit: Unit) => {
      if (unit.edits.length === 0) return;
      const stored = unit.stored ?? { target: unit.target, state: unit.state };
      const translation = await deps.translationInfo.get(unit.translation);
      if (!translation) return;
      const state = isBlank(stored.target) ? State.empty : stored.state;
      const checks = deps.evaluators
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
      if (!(await writeUnit(deps, { unit, patch, changes }, { author: by, time }))) return LOST_RACE;
    };
    await updateStored(deps, first.id, discard, first);
  }
  // Removals belong to no stored string, so no other write reports that they are no longer pending.
  await deps.contents.changed([{ project: settings.project, component }]);
  return units.length;
}
