import { ChangeAction, type catalog as catalogProto, type translation as translationProto } from '@parlance/contracts';
import type { Caller } from '@parlance/access';
import type { Client } from '@parlance/grpc-kit';
import type { NotifiableChange } from '../domain/notifications/notifiable-change';
import type { NotificationContext } from '../domain/ports';

const PAGE = 1000;
/** Actions that change a string's text. */
const textActions = [
  ChangeAction.targetChanged,
  ChangeAction.firstTarget,
  ChangeAction.autoTranslated,
  ChangeAction.suggestionAccepted,
  ChangeAction.reverted,
  ChangeAction.targetUploaded,
  ChangeAction.approved,
];

/** Whether a history entry is a comment that reports a problem in a source string. */
const isReport = (action: number, detailsJson: string): boolean =>
  action === ChangeAction.commentAdded && (JSON.parse(detailsJson || '{}') as { scope?: string }).scope === 'report';

const projectInfo = ({ name, slug, accessControl }: catalogProto.Project__Output) => ({ name, slug, accessControl });

const componentInfo = (c: catalogProto.Component__Output) => ({
  name: c.name,
  path: c.path,
  projectId: c.projectId,
  restricted: c.restricted,
  reportSourceBugs: c.reportSourceBugs,
});

const changeFromProto = (c: translationProto.Change__Output): NotifiableChange => ({
  action: c.action,
  timeMs: c.timeMs,
  projectId: c.projectId,
  componentId: c.componentId,
  unitId: c.unitId,
  languageCode: c.languageCode,
  userId: c.userId,
  target: c.target,
  ...(isReport(c.action, c.detailsJson) ? { report: true } : {}),
});

/** Reads structure from the catalog, history from translation and counters from statistics. */
export function notificationContextClient(clients: {
  catalog: Pick<Client<'catalog'>, 'batchGetProjects' | 'batchGetComponents' | 'listHidden'>;
  translation: Pick<Client<'translation'>, 'listChanges'>;
  statistics: Pick<Client<'statistics'>, 'getCounters'>;
  ownCaller: () => string;
  /** Signs a user's caller for a call made on its behalf. */
  sign: (caller: Caller) => string;
}): NotificationContext {
  const { catalog, translation, statistics, ownCaller, sign } = clients;
  const own = () => ({ as: ownCaller() });
  return {
    async describe(projectIds, componentIds) {
      const [byProject, byComponent] = await Promise.all([
        projectIds.length === 0 ? { projects: [] } : catalog.batchGetProjects({ ids: [...projectIds] }, own()),
        componentIds.length === 0 ? { components: [] } : catalog.batchGetComponents({ ids: [...componentIds] }, own()),
      ]);
      return {
        projects: new Map(byProject.projects.map((p) => [p.id, projectInfo(p)])),
        components: new Map(byComponent.components.map((c) => [c.id, componentInfo(c)])),
      };
    },
    async history(actions, fromMs, toMs, limit) {
      const found: NotifiableChange[] = [];
      for (let page = 1; found.length < limit; page++) {
        const request = { page: { page, pageSize: PAGE }, actions: [...actions], afterMs: fromMs, beforeMs: toMs - 1 };
        const { changes } = await translation.listChanges(request, own());
        found.push(...changes.map(changeFromProto));
        if (changes.length < PAGE) break;
      }
      return found.slice(0, limit);
    },
    async lastAuthor(unitId, beforeMs) {
      const request = { page: { page: 1, pageSize: 1 }, unitId, actions: textActions, beforeMs };
      const { changes } = await translation.listChanges(request, own());
      return changes[0]?.authorId || changes[0]?.userId || 0;
    },
    async openWork(reader, projectIds) {
      if (projectIds.length === 0) return new Map();
      const hidden = await catalog.listHidden({}, { as: sign(reader as Caller) });
      const visible = projectIds.filter((id) => !hidden.projectIds.includes(id));
      const scopes = visible.map((id) => ({
        kind: 'SCOPE_KIND_PROJECT' as const,
        id,
        excludedComponentIds: hidden.componentIds,
      }));
      const { counters } = await statistics.getCounters({ scopes }, own());
      return new Map(
        visible.map((id, index) => {
          const c = counters[index];
          const todo = (c?.all?.strings ?? 0) - (c?.translated?.strings ?? 0);
          return [id, { suggestions: c?.suggestions?.strings ?? 0, todo }];
        }),
      );
    },
  };
}
