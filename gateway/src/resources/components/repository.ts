import type { Permission } from '@parlance/access';
import type { vcsWorker } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { componentTarget, projectTarget, requireOn } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import { ok } from '../../routing/endpoint';

/** Repository operations with their permissions. */
export const operations: Record<string, { operation: vcsWorker.Operation; permission: Permission }> = {
  commit: { operation: 'OPERATION_COMMIT', permission: 'vcs.commit' },
  pull: { operation: 'OPERATION_PULL', permission: 'vcs.update' },
  'pull-rebase': { operation: 'OPERATION_PULL_REBASE', permission: 'vcs.update' },
  'pull-merge': { operation: 'OPERATION_PULL_MERGE', permission: 'vcs.update' },
  'pull-merge-noff': { operation: 'OPERATION_PULL_MERGE_NOFF', permission: 'vcs.update' },
  push: { operation: 'OPERATION_PUSH', permission: 'vcs.push' },
  reset: { operation: 'OPERATION_RESET', permission: 'vcs.reset' },
  'reset-keep': { operation: 'OPERATION_RESET_KEEP', permission: 'vcs.reset' },
  cleanup: { operation: 'OPERATION_CLEANUP', permission: 'vcs.reset' },
  'file-sync': { operation: 'OPERATION_FILE_SYNC', permission: 'vcs.reset' },
  'file-scan': { operation: 'OPERATION_FILE_SCAN', permission: 'vcs.reset' },
};

/** Access rule: the permission depends on the operation. */
export const operationAccess = {
  cases: Object.entries(operations).map(([operation, { permission }]) => ({
    does: operation,
    body: { operation },
    all: [permission],
  })),
} as const;

/** Any of these permissions allows reading the state of a repository. */
export const repositoryViewers: readonly Permission[] = ['vcs.push', 'vcs.commit', 'vcs.reset', 'vcs.update'];

/** Timeout of an operation, in milliseconds. */
const OPERATION_TIMEOUT_MS = 600_000;

/** State of the repositories of several components. */
export async function repositoryStatus(call: Call, componentIds: number[], detailed: boolean): Promise<Reply> {
  // A project may have no components.
  if (componentIds.length === 0)
    return ok({ needs_commit: false, needs_merge: false, needs_push: false, url: call.url });
  const s = await call.clients.vcsWorker.getRepositoryStatus({ componentIds }, { ...call.options, timeoutMs: 120_000 });
  const common = { needs_commit: s.needsCommit, needs_merge: s.needsMerge, needs_push: s.needsPush, url: call.url };
  if (!detailed) return ok(common);
  return ok({
    ...common,
    remote_commit: s.remoteCommit || null,
    local_commit: s.localCommit || null,
    status: s.status,
    merge_failure: s.mergeFailure || null,
  });
}

/** Runs the operation in the body. @throws INVALID on field operation, PERMISSION_DENIED */
export async function runOperation(call: Call, componentIds: number[]): Promise<Reply> {
  const { values } = await call.body();
  const name = values['operation'];
  if (name === undefined || name === '')
    throw fieldErrors([{ attr: 'operation', code: 'required', detail: 'An operation is required.' }]);
  const found = typeof name === 'string' && Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!found)
    throw fieldErrors([
      {
        attr: 'operation',
        code: 'invalid_choice',
        detail: `"operation" must be one of ${Object.keys(operations).join(', ')}.`,
      },
    ]);
  const target = call.params['component'] === undefined ? projectTarget(call.project) : componentTarget(call.component);
  requireOn(call, found.permission, target);
  if (componentIds.length === 0) return ok({ result: true });
  const answer = await call.clients.vcsWorker.runOperation(
    { componentIds, operation: found.operation },
    { ...call.options, timeoutMs: OPERATION_TIMEOUT_MS },
  );
  return ok({ result: answer.result, ...(answer.detail ? { detail: answer.detail } : {}) });
}
