import type { Client } from '@parlance/grpc-kit';
import type { History } from '../domain/ports';

/** The history over gRPC. */
export function historyClient(client: Client<'translation'>, own: () => string): History {
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
