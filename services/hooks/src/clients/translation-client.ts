import type { Client } from '@parlance/grpc-kit';
import type { HistoryClient } from '../domain/ports';

/** The history over gRPC. */
export function makeHistoryClient(client: Client<'translation'>, own: () => string): HistoryClient {
  return {
    async since({ projectId, componentId, actions, afterMs, page, pageSize }) {
      const { changes } = await client.listChanges(
        { projectId, componentId, actions: [...actions], afterMs, page: { page, pageSize } },
        { as: own() },
      );
      return changes;
    },
  };
}
