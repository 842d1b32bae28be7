import { fieldErrors, ServiceError } from '@parlance/errors';
import { requireId, requireService, type Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import { repositoryStatus } from '../app/repository/repository-status';
import { runOperation, type Operation } from '../app/repository/run-operation';
import { serveGit } from '../app/repository/serve-git';
import { mapGitErrors } from './git-errors';

const MAX_IDS = 10_000;
/** Maximum size of a git client's request, in bytes. */
const MAX_GIT_REQUEST_BYTES = 10 * 1024 * 1024;

const operationNames: Partial<Record<string, Operation>> = {
  OPERATION_COMMIT: 'commit',
  OPERATION_PULL: 'pull',
  OPERATION_PUSH: 'push',
  OPERATION_RESET: 'reset',
  OPERATION_CLEANUP: 'cleanup',
  OPERATION_FILE_SYNC: 'file-sync',
  OPERATION_FILE_SCAN: 'file-scan',
  OPERATION_PULL_REBASE: 'pull-rebase',
  OPERATION_PULL_MERGE: 'pull-merge',
  OPERATION_PULL_MERGE_NOFF: 'pull-merge-noff',
  OPERATION_RESET_KEEP: 'reset-keep',
  OPERATION_CLONE_AGAIN: 'clone-again',
};

function requireIds(values: readonly number[]): number[] {
  if (values.length === 0 || values.length > MAX_IDS)
    throw fieldErrors([{ attr: 'component_ids', code: 'invalid', detail: `1 to ${MAX_IDS} components are required.` }]);
  return values.map((value) => requireId(value, 'component_ids'));
}

/** gRPC handlers of components' repositories. */
export function repositoryHandlers(
  deps: Deps,
): Pick<Implementation<'vcs-worker'>, 'getRepositoryStatus' | 'runOperation' | 'uploadPack'> {
  return {
    async getRepositoryStatus(request, context) {
      return repositoryStatus(deps, context.caller, requireIds(request.componentIds), context.catalogGeneration);
    },
    async runOperation(request, context) {
      const operation = operationNames[request.operation];
      if (!operation)
        throw fieldErrors([{ attr: 'operation', code: 'invalid_choice', detail: 'The operation does not exist.' }]);
      if (operation === 'clone-again') requireService(context.caller);
      return mapGitErrors(() => runOperation(deps, context.caller, requireIds(request.componentIds), operation));
    },
    async *uploadPack({ componentId, protocol, advertise, body }, context) {
      if (protocol !== 0 && protocol !== 1 && protocol !== 2)
        throw fieldErrors([{ attr: 'protocol', code: 'invalid', detail: 'The value must be 0, 1 or 2.' }]);
      if (body.length > MAX_GIT_REQUEST_BYTES) throw new ServiceError('TOO_LARGE');
      const exchange = { protocol, body: advertise ? null : body } as const;
      const id = requireId(componentId, 'component_id');
      for await (const chunk of serveGit(deps, context.caller, id, exchange, context.signal)) yield { chunk };
    },
  };
}
