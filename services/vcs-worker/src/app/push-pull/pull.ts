import { isGitError, MergeConflictError, type MergeStyle } from '@parlance/git';
import { repoUrl } from '../../domain/component';
import { renderMessage } from '../../domain/message';
import { runAddonsAfterUpdate } from '../addons/run';
import { setHead } from '../repository/set-head';
import { Action, alertEvents, changeEvent, lockedByFailure, lockEvents } from '../change-events';
import { commitPending } from '../commit/commit-pending';
import { FileMerger } from './file-merger';
import { scanChanges } from '../import/import-files';
import { keepPendingFiles } from './kept-files';
import type { Deps } from '../deps';
import type { RepositoryWork } from '../repository/repository-work';

export interface OperationResult {
  result: boolean;
  detail: string;
}

export const SUCCESS: OperationResult = { result: true, detail: '' };

/**
 * Fetches upstream. If upstream has rewritten the base of our commits, our commits are saved again. The former upstream head is recorded,
 * because a merge must distinguish upstream commits from ours.
 */
export async function fetchUpstream(deps: Pick<Deps, 'commits'>, work: RepositoryWork): Promise<string> {
  const { session, git, components } = work;
  const { head, upstream: before, former, branch } = session.repository;
  const upstream = await git.fetch(repoUrl(components[0]!), branch, session.signal);
  if (upstream === before) return upstream;
  const rewritten = before !== null && !((await git.hasCommit(before)) && (await git.isAncestor(before, upstream)));
  if (rewritten && head !== null) await setHead(deps, session, git, head, { upstream, former: former ?? before });
  else await session.write({ upstream, ...(head === null ? {} : await git.distance(head, upstream)) });
  return upstream;
}

/**
 * Merges upstream's changes: commits pending edits, merges or rebases by `merge_style` and imports changed files.
 * A translation file that both sides changed is merged string by string; only other files can cause a merge failure.
 * @param options.committed whether the operation has committed pending edits before; later edits stay pending
 */
export async function pull(
  deps: Deps,
  work: RepositoryWork,
  options: { style?: MergeStyle | undefined; committed?: boolean } = {},
): Promise<OperationResult> {
  const { style = work.components[0]!.settings.mergeStyle as MergeStyle, committed = false } = options;
  const { session, git, components, log } = work;
  if (session.repository.upstream === null) return SUCCESS;
  let upstream: string;
  try {
    upstream = await fetchUpstream(deps, work);
  } catch (error) {
    if (!isGitError(error) || error.problem === 'aborted') throw error;
    log(`Upstream could not be fetched: ${error.message}`);
    return { result: false, detail: error.message };
  }
  const { failure } = session.repository;
  if (session.repository.former !== null || !(await git.isAncestor(upstream, session.repository.head!))) {
    if (!committed) await commitPending(deps, work);
    const failed = await mergeUpstream(deps, work, upstream, style);
    if (failed) return failed;
  } else if (failure !== '' && session.repository.behind === 0) await session.write({ failure: '' });
  // A lock caused by a failure ends when the failure is over and all files can be parsed.
  await scanChanges(deps, work, { all: failure !== '' && components.some(lockedByFailure) });
  await runAddonsAfterUpdate(deps, work);
  return SUCCESS;
}

async function mergeUpstream(
  deps: Deps,
  work: RepositoryWork,
  upstream: string,
  style: MergeStyle,
): Promise<OperationResult | null> {
  const { session, git, components, user, log } = work;
  const owner = components[0]!;
  const local = session.repository.head!;
  const { former } = session.repository;
  const rebasing = style === 'rebase' || former !== null;
  const base = await git.mergeBase(local, former !== null && (await git.hasCommit(former)) ? former : upstream);
  const resolver = new FileMerger(deps, components, { git, base, local }, log);
  try {
    const message = renderMessage(owner.settings.mergeMessage, owner, deps.site, {});
    const outcome = await git.merge({
      local,
      upstream,
      former,
      style,
      message,
      committer: deps.committer(),
      resolve: (conflict) => resolver.resolve(conflict),
    });
    const kept = await keepPendingFiles(deps, components, { git, head: local }, { git, head: outcome.head }, log);
    resolver.conflicts.push(...kept.conflicts);
    // Idempotent, so it precedes the step that completes the merge: a crash in between loses no conflict.
    if (resolver.conflicts.length > 0) await deps.translations.recordConflicts(resolver.conflicts, upstream);
    const entry = {
      user,
      target: upstream,
      old: local,
      details: { old_head: local, new_head: kept.head, upstream, conflicts: resolver.conflicts.length },
    };
    const events = components.map((component) =>
      changeEvent(component, rebasing ? Action.rebased : Action.merged, entry),
    );
    events.push(...resolver.events(), ...kept.events);
    await setHead(deps, session, git, kept.head, { failure: '', former: null }, events);
    log(
      outcome.kind === 'fast-forward'
        ? 'Fast-forward to upstream'
        : `${rebasing ? 'Rebased on' : 'Merged with'} upstream`,
    );
    return null;
  } catch (error) {
    if (!(error instanceof MergeConflictError) && !(isGitError(error) && error.problem === 'failed')) throw error;
    return recordMergeFailure(work, error.message, rebasing);
  }
}

/** Stores a failed merge with its history entries, alerts and locks. */
async function recordMergeFailure(work: RepositoryWork, detail: string, rebasing: boolean): Promise<OperationResult> {
  const { session, components, user, log } = work;
  log(detail);
  const events = components.map((component) =>
    changeEvent(component, rebasing ? Action.rebaseFailed : Action.mergeFailed, {
      user,
      target: detail,
      details: { error: detail },
    }),
  );
  // A persistent failure is reported once.
  const alerts = session.repository.failure === '' ? alertEvents(components, 'MergeFailure') : [];
  await session.write({ failure: detail }, [...events, ...alerts, ...lockEvents(components, detail)]);
  return { result: false, detail };
}
