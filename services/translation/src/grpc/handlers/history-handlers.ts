import type { translation as proto } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import type { RunningConsumer } from '@parlance/events';
import { pageOf, requireId, type Implementation } from '@parlance/grpc-kit';
import type { ChangeFilter, HistoryCounts, HistoryReader, TranslationReader, UnitReader } from '../../domain/ports';
import type { Change } from '../../domain/change';
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

export interface HistoryHandlerDeps {
  changes: HistoryReader & HistoryCounts;
  translations: Pick<TranslationReader, 'get' | 'many'>;
  units: Pick<UnitReader, 'many'>;
  /** Consumer that records the changes of other services. */
  changesConsumer: Pick<RunningConsumer, 'caughtUp'>;
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
      await changesConsumer.caughtUp(CATCH_UP_MS);
      return { counts: await changes.countRecent(request.scopes.map(recentScopeFromProto)) };
    },
    async countChanges(request) {
      requireAtMost(MAX_SETS, request.sets, 'sets');
      await changesConsumer.caughtUp(CATCH_UP_MS);
      const filters = request.sets.map(({ actions }): ChangeFilter => ({
        user: request.userId,
        actions,
        excludedComponents: request.excludedComponentIds,
        excludedProjects: request.excludedProjectIds,
      }));
      return { counts: await changes.totalsOf(filters) };
    },
    async countContributions(request) {
      await changesConsumer.caughtUp(CATCH_UP_MS);
      const found = await changes.contributions(changeFilterFromProto(request), MAX_CONTRIBUTIONS);
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

function makeReadHandlers({
  changes,
  translations,
  units,
  changesConsumer,
}: HistoryHandlerDeps): Pick<Implementation<'translation'>, 'getChange' | 'listChanges'> {
  return {
    async getChange(request) {
      const change = await changes.get(requireId(request.id, 'id'));
      if (!change) throw new ServiceError('NOT_FOUND');
      const translation = change.translation === 0 ? null : await translations.get(change.translation);
      return { change: changeToProto(change), translation: translation && translationToProto(translation) };
    },
    async listChanges(request) {
      const { page, size } = pageOf(request.page);
      await changesConsumer.caughtUp(CATCH_UP_MS);
      const filter = {
        ...changeFilterFromProto(request),
        translation: request.translationId,
        unit: request.unitId,
        language: request.languageCode,
      };
      const { items, total } =
        request.withoutTotal && page === 1
          ? { items: await changes.first(filter, size), total: 0 }
          : await changes.page(filter, page, size);
      const [itsTranslations, itsUnits] = await Promise.all([
        request.withTranslations ? translations.many(referredIds(items, 'translation')) : [],
        request.withUnits ? units.many(referredIds(items, 'unit')) : [],
      ]);
      return {
        changes: items.map(changeToProto),
        total,
        translations: itsTranslations.map(translationToProto),
        units: itsUnits.map(unitToProto),
      };
    },
  };
}
