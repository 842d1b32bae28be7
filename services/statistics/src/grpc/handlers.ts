import type { Implementation } from '@parlance/grpc-kit';
import { columnOfExtra } from '../domain/counters';
import type { CounterReader } from '../app/read-counters';
import { countersToMessage } from '../app/snapshot-message';
import { readLanguageRequest, readScopes } from './requests';

/** gRPC handlers. Requests exclude the objects hidden from the caller. */
export function makeHandlers(reader: CounterReader): Implementation<'statistics'> {
  return {
    async getCounters(request, context) {
      const { counters, stale } = await reader.counters(readScopes(request), context.deadlineMs);
      return { counters: counters.map(countersToMessage), stale };
    },

    async listLanguageCounters(request, context) {
      const { projectId, also, excluded } = readLanguageRequest(request);
      const { languages, stale } = await reader.byLanguage(projectId, also, excluded, context.deadlineMs);
      return {
        languages: languages.map(([languageCode, counters]) => ({
          languageCode,
          counters: countersToMessage(counters),
        })),
        stale,
      };
    },

    async getMetrics(_request, context) {
      const { counters, translations, components, projects, stale } = await reader.site(context.deadlineMs);
      return {
        counters: countersToMessage(counters),
        changes: counters.added[columnOfExtra('contentChanges')]!,
        translations,
        components,
        projects,
        // Settings are validated before they are stored.
        configurationErrors: 0,
        stale,
      };
    },
  };
}
