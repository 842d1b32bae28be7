import { createHash } from 'node:crypto';
import { isGitError, redactRemoteUrl } from '@parlance/git';
import { logger } from '@parlance/telemetry';
import { isLocal, pushUrl, repoUrl, type Component } from '../../domain/component';
import type { Repository } from '../../domain/repository';
import { runAddonsBeforePush } from '../addons/run';
import { setHead } from '../repository/set-head';
import { Action, alertEvents, changeEvent } from '../change-events';
import { commitPending } from '../commit/commit-pending';
import type { Deps } from '../deps';
import { fetchUpstream, pull, type OperationResult } from './pull';
import type { RepositoryWork } from '../repository/repository-work';

/** Attempts of a push while the branch keeps moving. */
const ATTEMPTS = 3;

/** A branch at an address. */
export interface PushTarget {
  branch: string;
  /** Fingerprint of the address. */
  address: string;
}

/** Identifies an address: SHA-256, in hexadecimal digits, of the address without credentials. */
export const addressFingerprint = (url: string): string =>
  createHash('sha256').update(redactRemoteUrl(url)).digest('hex');

/** The push target of a repository, from the settings of its owner. */
export const pushTarget = (owner: Component): PushTarget => ({
  branch: owner.settings.pushBranch || owner.settings.branch,
  address: addressFingerprint(pushUrl(owner)),
});

type PushState = Pick<Repository, 'ahead' | 'head' | 'pushed' | 'pushedBranch' | 'pushedAddress'>;

/** Whether the last push went to this target. Earlier versions did not store the address. */
const isLastPushTarget = (
  { pushed, pushedBranch, pushedAddress }: PushState,
  { branch, address }: PushTarget,
): boolean => pushed !== null && pushedBranch === branch && (pushedAddress === '' || pushedAddress === address);

/** Whether there are unpushed commits, as of the last fetch or push. */
export const needsPush = (repository: PushState, target: PushTarget): boolean =>
  repository.ahead > 0 && !(repository.pushed === repository.head && isLastPushTarget(repository, target));

/** Whether the pushed branch was deleted, for instance after upstream merged it. */
async function isBranchDeleted({ session, git }: RepositoryWork, url: string, branch: string): Promise<boolean> {
  try {
    await git.remoteBranch(url, branch, session.signal);
    return false;
  } catch (error) {
    if (isGitError(error, 'no-branch')) return true;
    throw error;
  }
}

/**
 * Commits pending edits, merges upstream and pushes. Retries if the branch moved in the meantime.
 * @param committed whether the operation has committed pending edits before; later edits stay pending
 */
export async function push(deps: Deps, work: RepositoryWork, { committed = false } = {}): Promise<OperationResult> {
  const { session, components } = work;
  const owner = components[0]!;
  if (isLocal(owner)) return { result: true, detail: committed ? '' : await commitPending(deps, work) };
  if (pushUrl(owner) === '')
    return { result: false, detail: 'Pushing is switched off: the component has no address to push to.' };
  // Pulling clears a failure; a failed push must stay recorded.
  const before = session.repository.failure;
  const target = pushTarget(owner);
  const done = { result: true, detail: committed ? '' : await commitPending(deps, work) };
  for (let attempt = 1; ; attempt++) {
    const pulled = await pull(deps, work, { committed: true });
    if (!pulled.result) return recordFailure(work, pulled.detail, before);
    try {
      if (!needsPush(session.repository, target)) {
        // An explicit push verifies that the remote branch still exists.
        const { ahead, branch } = session.repository;
        if (ahead === 0 || target.branch === branch || !(await isBranchDeleted(work, pushUrl(owner), target.branch)))
          return done;
      }
      await runAddonsBeforePush(deps, work);
      await pushHead(deps, work, target);
      return done;
    } catch (error) {
      if (!isGitError(error) || error.problem === 'aborted') throw error;
      // If another user changed our own branch, pulling would not merge it, so the push fails.
      if (error.problem === 'stale' && attempt < ATTEMPTS && target.branch === session.repository.branch) continue;
      return recordFailure(work, error.message, before);
    }
  }
}

async function recordFailure(work: RepositoryWork, detail: string, before: string): Promise<OperationResult> {
  const { session, components, user, log } = work;
  log(`Pushing failed: ${detail}`);
  logger.warn({ component: components[0]!.settings.id, detail }, 'push: failed');
  const events = components.map((component) =>
    changeEvent(component, Action.pushFailed, { user, target: detail, details: { error: detail } }),
  );
  const alerts = before === '' ? alertEvents(components, 'PushFailure') : [];
  await session.write({ failure: detail }, [...events, ...alerts]);
  return { result: false, detail };
}

async function pushHead(deps: Deps, work: RepositoryWork, target: PushTarget): Promise<void> {
  const { session, git, components, user, log } = work;
  const owner = components[0]!;
  const { head, branch, pushed } = session.repository;
  const url = pushUrl(owner);
  // Rebasing rewrites our own branch. It is replaced only if it still contains exactly the last push.
  const isOwnBranch = target.branch !== branch && isLastPushTarget(session.repository, target);
  const mode = owner.settings.vcs === 'git-force-push' ? 'force' : isOwnBranch ? { expected: pushed } : 'fast-forward';
  try {
    await git.push(url, head!, target.branch, mode, session.signal);
  } catch (error) {
    if (!isOwnBranch || !isGitError(error, 'stale') || !(await isBranchDeleted(work, url, target.branch))) throw error;
    log(`${target.branch} was deleted; it is created again`);
    await git.push(url, head!, target.branch, { expected: null }, session.signal);
  }
  log(`Pushed to ${target.branch}`);
  const events = components.map((component) =>
    changeEvent(component, Action.pushed, { user, target: head!, details: { commit: head, branch: target.branch } }),
  );
  const state = { pushed: head, pushedBranch: target.branch, pushedAddress: target.address, failure: '' };
  if (target.branch === branch && url === repoUrl(owner))
    await setHead(deps, session, git, head!, { ...state, upstream: head }, events);
  else {
    await session.write(state, events);
    // Another address may be the same repository.
    if (target.branch === branch)
      await fetchUpstream(deps, work).then((upstream) =>
        setHead(deps, session, git, session.repository.head!, { upstream }),
      );
  }
}
