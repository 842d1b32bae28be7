import { isGitError } from '@parlance/git';
import { isLocal, pushUrl, repoUrl, type Component } from '../domain/component';
import { beforePush } from './addons/run';
import { advance } from './advance';
import { Action, alertEvents, changeEvent } from './announce';
import { commitPending } from './commit-pending';
import type { Parts } from './parts';
import { fetchUpstream, pull, type Outcome } from './pull';
import type { Work } from './work';

/** How often a push is tried when the branch keeps moving. */
const ATTEMPTS = 3;

export const pushBranch = ({ settings }: Component): string => settings.pushBranch || settings.branch;

/** Whether there is something that the push address does not have. */
export const needsPush = (repository: { ahead: number; head: string | null; pushed: string | null }): boolean =>
  repository.ahead > 0 && repository.pushed !== repository.head;

/** Commits what waits, brings upstream's changes in and pushes. When the branch moved in between, it starts over. */
export async function push(parts: Parts, work: Work): Promise<Outcome> {
  const { session, components } = work;
  const owner = components[0]!;
  if (isLocal(owner)) return { result: true, detail: await commitPending(parts, work) };
  if (pushUrl(owner) === '')
    return { result: false, detail: 'Pushing is switched off: the component has no address to push to.' };
  // Pulling takes a failure back; one of the push itself lasts all the same.
  const before = session.repository.failure;
  const done = { result: true, detail: await commitPending(parts, work) };
  for (let attempt = 1; ; attempt++) {
    const pulled = await pull(parts, work);
    if (!pulled.result) return failed(work, pulled.detail, before);
    if (!needsPush(session.repository)) return done;
    await beforePush(parts, work);
    try {
      await send(parts, work);
      return done;
    } catch (error) {
      if (!isGitError(error) || error.problem === 'aborted') throw error;
      // A branch of our own that somebody else changed is theirs to look at: pulling does not bring it in.
      if (error.problem === 'stale' && attempt < ATTEMPTS && pushBranch(owner) === session.repository.branch) continue;
      return failed(work, error.message, before);
    }
  }
}

async function failed(work: Work, detail: string, before: string): Promise<Outcome> {
  const { session, components, user, log } = work;
  log(`Pushing failed: ${detail}`);
  const events = components.map((component) =>
    changeEvent(component, Action.pushFailed, { user, target: detail, details: { error: detail } }),
  );
  const alerts = before === '' ? alertEvents(components, 'PushFailure') : [];
  await session.write({ failure: detail }, [...events, ...alerts]);
  return { result: false, detail };
}

async function send(parts: Parts, work: Work): Promise<void> {
  const { session, git, components, user, log } = work;
  const owner = components[0]!;
  const { head, branch, pushed, pushedBranch } = session.repository;
  const target = pushBranch(owner);
  const url = pushUrl(owner);
  // Rebasing rewrites what lies on a branch of our own. It is replaced as long as it holds exactly what was pushed last.
  const own = target !== branch && pushed !== null && pushedBranch === target;
  await git.push(
    url,
    head!,
    target,
    owner.settings.vcs === 'git-force-push' ? 'force' : own ? { expected: pushed } : 'fast-forward',
    session.signal,
  );
  log(`Pushed to ${target}`);
  const events = components.map((component) =>
    changeEvent(component, Action.pushed, { user, target: head!, details: { commit: head, branch: target } }),
  );
  const state = { pushed: head, pushedBranch: target, failure: '' };
  if (target === branch && url === repoUrl(owner))
    await advance(parts, session, git, head!, { ...state, upstream: head }, events);
  else {
    await session.write(state, events);
    // Another address may well be the same repository.
    if (target === branch)
      await fetchUpstream(parts, work).then((upstream) =>
        advance(parts, session, git, session.repository.head!, { upstream }),
      );
  }
}
