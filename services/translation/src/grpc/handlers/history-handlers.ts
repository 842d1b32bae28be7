import type { translation as proto } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import type { RunningConsumer } from '@parlance/events';
import { pageOf, requireId, type Implementation } from '@parlance/grpc-kit';
import type { ChangeFilter, HistoryCounts, HistoryReader, TranslationReader, UnitReader } from '../../domain/ports';
import type { Change } from '../../domain/change';
import type { TranslationInfo } from '../../app/caches/interfaces';
import { changeToProto, recentScopeFromProto, translationToProto, unitToProto } from '../mappers';

export type HistoryMethod = 'countRecentChanges' | 'countChanges' | 'getChange' | 'countContributions' | 'listChanges';

/** Contributions in a response. */
const MAX_CONTRIBUTIONS = 10_000;
/** Read-your-writes: how long a reader waits for events published before its call, in milliseconds. */
const CATCH_UP_MS = 2_000;
/** Scopes in one count of recent changes. */
const MAX_SCOPES = 1000;
/** Sets of actions in one count. */
const MAX_SETS = 20;

export interface ReadHistoryDeps {
  changes: Pick<HistoryReader, 'page' | 'first'>;
  translationInfo: Pick<TranslationInfo, 'many'>;
  units: Pick<UnitReader, 'many'>;
  /** Consumer that records the changes of other services. */
  changesConsumer: Pick<RunningConsumer, 'readCaughtUp'>;
}

export interface HistoryHandlerDeps extends ReadHistoryDeps {
  changes: HistoryReader & HistoryCounts;
  translations: Pick<TranslationReader, 'get'>;
}

function changeFilterFromProto(
  request: proto.CountContributionsRequest__Output | proto.ListChangesRequest__Output,
): ChangeFilter {
  return {
    project: request.projectId,
    component: request.componentId,
    user: request.userId,
    actions: request.actions,
    after: request.afterMs,
    before: request.beforeMs,
    excludedComponents: request.excludedComponentIds,
    excludedProjects: request.excludedProjectIds,
  };
}

/** Ids of the objects that entries refer to, without duplicates and 0. */
const referredIds = (changes: readonly Change[], field: 'translation' | 'unit'): number[] =>
  [...new Set(changes.map((change) => change[field]))].filter(Boolean);

/** @throws INVALID naming the field */
function requireAtMost(max: number, items: readonly unknown[], attr: string): void {
  if (items.length <= max) return;
  throw fieldErrors([{ attr, code: 'max_length', detail: `"${attr}" must not contain more than ${max} items.` }]);
}

export function makeHistoryHandlers(deps: HistoryHandlerDeps): Pick<Implementation<'translation'>, HistoryMethod> {
  return { ...makeCountHandlers(deps), ...makeReadHandlers(deps) };
}

function makeCountHandlers({
  changes,
  changesConsumer,
}: Pick<HistoryHandlerDeps, 'changes' | 'changesConsumer'>): Pick<
  Implementation<'translation'>,
  'countRecentChanges' | 'countChanges' | 'countContributions'
> {
  return {
    async countRecentChanges(request) {
      requireAtMost(MAX_SCOPES, request.scopes, 'scopes');
      const scopes = request.scopes.map(recentScopeFromProto);
      const found = await changesConsumer.readCaughtUp(CATCH_UP_MS, () => changes.countRecent(scopes));
      return { counts: found.map(({ count }) => count), oldestMs: found.map(({ oldest }) => oldest) };
    },
    async countChanges(request) {
      requireAtMost(MAX_SETS, request.sets, 'sets');
      const sets = request.sets.map(({ actions }) => actions);
      const filter: ChangeFilter = {
        user: request.userId,
        // An empty set contains every action.
        actions: sets.some((actions) => actions.length === 0) ? [] : [...new Set(sets.flat())],
        excludedComponents: request.excludedComponentIds,
        excludedProjects: request.excludedProjectIds,
      };
      const found = await changesConsumer.readCaughtUp(CATCH_UP_MS, () => changes.countByAction(filter));
      const countOf = (actions: Iterable<number>) =>
        [...actions].reduce((sum, action) => sum + (found.get(action) ?? 0), 0);
      return { counts: sets.map((actions) => countOf(actions.length === 0 ? found.keys() : new Set(actions))) };
    },
    async countContributions(request) {
      const filter = changeFilterFromProto(request);
      const found = await changesConsumer.readCaughtUp(CATCH_UP_MS, () =>
        changes.contributions(filter, MAX_CONTRIBUTIONS),
      );
      return {
        contributions: found.map((c) => ({
          userId: c.user,
          translationId: c.translation,
          languageCode: c.language,
          changes: c.changes,
        })),
      };
    },
  };
}

function makeReadHandlers(deps: HistoryHandlerDeps): Pick<Implementation<'translation'>, 'getChange' | 'listChanges'> {
  const { changes, translations } = deps;
  return {
    async getChange(request) {
      const change = await changes.get(requireId(request.id, 'id'));
      if (!change) throw new ServiceError('NOT_FOUND');
      const translation = change.translation === 0 ? null : await translations.get(change.translation);
      return { change: changeToProto(change), translation: translation && translationToProto(translation) };
    },
    async listChanges(request) {
      const filter = {
        ...changeFilterFromProto(request),
        translation: request.translationId,
        unit: request.unitId,
        language: request.languageCode,
      };
      return readHistory(deps, filter, pageOf(request.page), request);
    },
  };
}

/** Data of a page of the history besides its entries. */
type HistoryContents = Partial<
  Pick<proto.ListChangesRequest__Output, 'withTranslations' | 'withUnits' | 'withoutTotal'>
>;

/** A page of the history, newest first, with the events that were published before the call. */
export async function readHistory(
  { changes, translationInfo, units, changesConsumer }: ReadHistoryDeps,
  filter: ChangeFilter,
  { page, size }: { page: number; size: number },
  { withTranslations, withUnits, withoutTotal }: HistoryContents,
): Promise<proto.ListChangesResponse> {
  const { items, total } = await changesConsumer.readCaughtUp(CATCH_UP_MS, async () =>
    withoutTotal && page === 1
      ? { items: await changes.first(filter, size), total: 0 }
      : changes.page(filter, page, size),
  );
  const [itsTranslations, itsUnits] = await Promise.all([
    withTranslations ? translationInfo.many(referredIds(items, 'translation')) : [],
    withUnits ? units.many(referredIds(items, 'unit')) : [],
  ]);
  return {
    changes: items.map(changeToProto),
    total,
    translations: itsTranslations.map(translationToProto),
    units: itsUnits.map(unitToProto),
  };
}
