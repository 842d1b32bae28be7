import type { translation as proto } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import type { RunningConsumer } from '@parlance/events';
import { pageOf, requireId, type Implementation } from '@parlance/grpc-kit';
import type { ChangeFilter, HistoryCounts, HistoryReader } from '../../domain/ports';
import { changeToProto, recentScopeFromProto } from '../mappers';

export type HistoryMethod = 'countRecentChanges' | 'getChange' | 'countContributions' | 'listChanges';

/** Contributions in a response. */
const MAX_CONTRIBUTIONS = 10_000;
/** Read-your-writes: how long a reader waits for events published before its call, in milliseconds. */
const CATCH_UP_MS = 2_000;
/** Scopes in one count of recent changes. */
const MAX_SCOPES = 1000;

export interface HistoryHandlerDeps {
  changes: HistoryReader & HistoryCounts;
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

export function makeHistoryHandlers({
  changes,
  changesConsumer,
}: HistoryHandlerDeps): Pick<Implementation<'translation'>, HistoryMethod> {
  return {
    async countRecentChanges(request) {
      if (request.scopes.length > MAX_SCOPES)
        throw fieldErrors([
          { attr: 'scopes', code: 'max_length', detail: `"scopes" must not contain more than ${MAX_SCOPES} items.` },
        ]);
      await changesConsumer.caughtUp(CATCH_UP_MS);
      return { counts: await changes.countRecent(request.scopes.map(recentScopeFromProto)) };
    },
    async getChange(request) {
      const change = await changes.get(requireId(request.id, 'id'));
      if (!change) throw new ServiceError('NOT_FOUND');
      return { change: changeToProto(change) };
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
    async listChanges(request) {
      const { page, size } = pageOf(request.page);
      await changesConsumer.caughtUp(CATCH_UP_MS);
      const found = await changes.page(
        {
          ...changeFilterFromProto(request),
          translation: request.translationId,
          unit: request.unitId,
          language: request.languageCode,
        },
        page,
        size,
      );
      return { changes: found.items.map(changeToProto), total: found.total };
    },
  };
}
