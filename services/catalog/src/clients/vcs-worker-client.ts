import { isServiceError } from '@parlance/errors';
import type { CallContext, CallOptions, Client } from '@parlance/grpc-kit';
import type { ForwardedContext, RepositoryClient } from '../domain/ports';

/** Deadline for preparing a repository when the request has none, in milliseconds. Preparing includes a clone. */
const PREPARE_TIMEOUT_MS = 600_000;

/** Forwards the caller of the current request; event consumers have none. */
function forwardCaller(context: ForwardedContext): CallOptions {
  return 'callerToken' in context ? { as: context as CallContext } : {};
}

/** Client of the vcs-worker, which owns the repositories. */
export function vcsWorkerClient(client: Client<'vcs-worker'>, ownCaller: () => string): RepositoryClient {
  return {
    async prepare({ archiveKind, fileFormatParams, ...settings }, archive, context) {
      const request = { ...settings, fileFormatParamsJson: JSON.stringify(fileFormatParams), archiveKind };
      const options = { timeoutMs: PREPARE_TIMEOUT_MS, ...forwardCaller(context) };
      if (!archive) return client.prepareRepository(request, options);
      const messages = async function* () {
        yield { header: request };
        for await (const chunk of archive)
          yield { chunk: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) };
      };
      return client.prepareRepositoryFromFile(messages(), options);
    },
    async hasFile(componentId, path) {
      try {
        for await (const _ of client.readFile({ componentId, path }, { as: ownCaller() })) return true;
        return true;
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return false;
        throw error;
      }
    },
  };
}
