import { can, type Permission, type Caller } from '@parlance/access';
import { isOutage, isServiceError, ServiceError } from '@parlance/errors';
import { diskFullOr, isGitError } from '@parlance/git';
import { logger } from '@parlance/telemetry';
import { accessTarget, isLocal, pushUrl, repoUrl, type Component } from '../../domain/component';
import { runAddonsAfterUpdate } from '../addons/run';
import { setHead } from './set-head';
import { Action, changeEvent } from '../change-events';
import { commitPending } from '../commit/commit-pending';
import { scanChanges } from '../import/import-files';
import type { Deps } from '../deps';
import { SUCCESS, pull, type OperationResult } from '../push-pull/pull';
import { needsPush, push, pushTarget } from '../push-pull/push';
import { partitionByOwnerPermission } from './owner-permission';
import { reset, resetKeep } from '../push-pull/reset';
import type { RepositoryWork } from './repository-work';
import { withRepository, type WorkOptions } from './with-repository';

export const operations = {
  commit: 'vcs.commit',
  pull: 'vcs.update',
  push: 'vcs.push',
  reset: 'vcs.reset',
  cleanup: 'vcs.reset',
  'file-sync': 'vcs.reset',
  'file-scan': 'vcs.reset',
  'pull-rebase': 'vcs.update',
  'pull-merge': 'vcs.update',
  'pull-merge-noff': 'vcs.update',
  'reset-keep': 'vcs.reset',
  'clone-again': 'vcs.reset',
} as const satisfies Record<string, Permission>;
export type Operation = keyof typeof operations;

/** Concurrent repositories per request. */
const PARALLEL = 4;

/** Pushes after a commit if `push_on_commit` is set. A failure is recorded in the history and keeps the commit. */
export async function pushIfConfigured(
  deps: Deps,
  work: RepositoryWork,
  options: { committed?: boolean } = {},
): Promise<void> {
  if (work.components[0]!.settings.pushOnCommit && canPush(work)) await push(deps, work, options);
}

/** Whether there are unpushed commits, and an address to push them to. */
function canPush({ components: [owner], session }: RepositoryWork): boolean {
  return !isLocal(owner!) && pushUrl(owner!) !== '' && needsPush(session.repository, pushTarget(owner!));
}

const actions: Record<Operation, (deps: Deps, work: RepositoryWork) => Promise<OperationResult>> = {
  async commit(deps, work) {
    const detail = await commitPending(deps, work);
    await pushIfConfigured(deps, work, { committed: true });
    return { result: true, detail };
  },
  pull: (deps, work) => pullAndPush(deps, work),
  'pull-rebase': (deps, work) => pullAndPush(deps, work, 'rebase'),
  'pull-merge': (deps, work) => pullAndPush(deps, work, 'merge'),
  'pull-merge-noff': (deps, work) => pullAndPush(deps, work, 'merge_noff'),
  push: (deps, work) => push(deps, work),
  reset,
  async 'reset-keep'(deps, work) {
    await resetKeep(deps, work);
    await pushIfConfigured(deps, work, { committed: true });
    if (!canPush(work)) return SUCCESS;
    const { ahead, failure } = work.session.repository;
    const waiting = ahead === 1 ? '1 commit waits for a push' : `${ahead} commits wait for a push`;
    return { result: true, detail: failure === '' ? `${waiting}.` : `${waiting}: ${failure}` };
  },
  async cleanup(_parts, work) {
    // A bare repository has no untracked files; cleanup removes unreachable objects.
    await work.git.collectGarbage(work.session.signal);
    return SUCCESS;
  },
  'clone-again': cloneAgain,
  'file-sync': rewriteFiles,
  async 'file-scan'(deps, work) {
    const { session, components, user } = work;
    const detail = await commitPending(deps, work);
    await session.write(
      {},
      components.map((component) => changeEvent(component, Action.forcedScan, { user })),
    );
    await scanChanges(deps, work, { all: true });
    await runAddonsAfterUpdate(deps, work);
    await pushIfConfigured(deps, work);
    return { result: true, detail };
  },
};

/**
 * Replaces the clones of all workers: this worker's now, others when they need theirs. The remote must be reachable: otherwise the
 * existing clones stay.
 */
async function cloneAgain(deps: Deps, { session, git, components }: RepositoryWork): Promise<OperationResult> {
  const { vcs, branch, cloneNumber = 0 } = session.repository;
  const url = repoUrl(components[0]!);
  if (vcs !== 'local') await git.remoteBranch(url, branch, session.signal);
  await session.write({ cloneNumber: cloneNumber + 1 });
  await deps.clones.open(session.repository, async () => url, session.signal);
  return SUCCESS;
}

async function pullAndPush(
  deps: Deps,
  work: RepositoryWork,
  style?: 'rebase' | 'merge' | 'merge_noff',
): Promise<OperationResult> {
  const outcome = await pull(deps, work, { style });
  if (outcome.result) await pushIfConfigured(deps, work);
  return outcome;
}

/** Rewrites every file from the translation service. */
async function rewriteFiles(deps: Deps, work: RepositoryWork): Promise<OperationResult> {
  const { session, git, components, user } = work;
  const detail = await commitPending(deps, work);
  const changes: { path: string; bytes: Buffer }[] = [];
  for (const component of components) {
    for (const translation of await deps.translations.list(component.settings.id)) {
      const stored = translation.filename ? await git.readFile(session.repository.head!, translation.filename) : null;
      const bytes = stored && (await deps.translations.file(translation.id));
      if (bytes && !bytes.equals(stored.bytes)) changes.push({ path: translation.filename, bytes });
    }
  }
  const events = components.map((component) =>
    changeEvent(component, Action.forcedSync, { user, details: { files: changes.length } }),
  );
  if (changes.length === 0) await session.write({}, events);
  else {
    const committer = deps.committer();
    const [commit] = await git.commit(session.repository.head, [
      { changes, author: committer, committer, message: 'Rewrite translation files' },
    ]);
    await setHead(deps, session, git, commit!, {}, events);
    await scanChanges(deps, work, { all: false });
  }
  await pushIfConfigured(deps, work);
  return { result: true, detail };
}

/** Runs an operation in one repository. Failures that users can resolve are part of the result. */
export async function runInRepository(
  deps: Deps,
  repository: string,
  operation: Operation,
  options: WorkOptions,
): Promise<OperationResult> {
  try {
    const sharedAs = `${operation} by ${options.user ?? 0}`;
    return await withRepository(deps, repository, { ...options, sharedAs }, (work) => actions[operation](deps, work));
  } catch (thrown) {
    const error = diskFullOr(thrown);
    // An alert watches the disk (WorkDirectoryFull).
    if (isGitError(error, 'disk-full')) throw error;
    if (isGitError(error) && error.problem !== 'failed') return { result: false, detail: error.message };
    // During an outage, tasks are retried and other callers repeat the request.
    if (isGitError(error) || !(isServiceError(error) || isOutage(error)))
      logger.error({ err: error, repository, operation }, 'repository operation: failed unexpectedly');
    throw error;
  }
}

/**
 * Runs an operation for components and waits for its end. Components that share a repository share the operation; components
 * deleted in the meantime are skipped. Requires the permission on each component and on the owner of its repository; of several
 * components, those whose owner denies it are skipped and named in the response.
 * @throws ServiceError NOT_FOUND, PERMISSION_DENIED
 */
export async function runOperation(
  deps: Deps,
  caller: Caller,
  ids: readonly number[],
  operation: Operation,
): Promise<OperationResult> {
  const components = await deps.catalog.components(ids);
  if (components.length === 0) throw new ServiceError('NOT_FOUND', { message: 'There is no such component.' });
  const permission = operations[operation];
  if (!components.every((component: Component) => can(caller, permission, accessTarget(component))))
    throw new ServiceError('PERMISSION_DENIED');
  const { allowed, denied } = await partitionByOwnerPermission(deps, caller, [permission], components);
  if (allowed.length === 0)
    throw new ServiceError('PERMISSION_DENIED', {
      message: `This requires ${permission} on the owner of the repository.`,
    });
  const allowedIds = allowed.map((component) => component.settings.id);
  try {
    const outcome = await runInRepositories(deps, caller, allowedIds, operation);
    const skipped = denied.map(
      ({ settings }) => `${settings.path}: left out, ${permission} is missing on the owner of its repository.`,
    );
    return { ...outcome, detail: [outcome.detail, ...skipped].filter(Boolean).join('\n') };
  } catch (error) {
    const remaining = (await deps.catalog.components(allowedIds)).length;
    if (!isServiceError(error, 'NOT_FOUND') || remaining === allowedIds.length) throw error;
    return runOperation(deps, caller, allowedIds, operation);
  }
}

async function runInRepositories(
  deps: Deps,
  caller: Caller,
  ids: readonly number[],
  operation: Operation,
): Promise<OperationResult> {
  const found = await deps.index.repositoriesOf(ids);
  const repositories = [...new Set(found.values())];
  const outcomes: OperationResult[] = ids.every((id) => found.has(id))
    ? []
    : [{ result: false, detail: 'The repository is not there yet.' }];
  const queue = [...repositories];
  const lanes = Array.from({ length: Math.min(PARALLEL, queue.length) }, async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift())
      outcomes.push(await runInRepository(deps, id, operation, { user: caller.userId }));
  });
  await Promise.all(lanes);
  const details = outcomes.map((outcome) => outcome.detail).filter(Boolean);
  return { result: outcomes.every((outcome) => outcome.result), detail: [...new Set(details)].join('\n') };
}
