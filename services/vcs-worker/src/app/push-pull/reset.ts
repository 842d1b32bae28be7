import type { OutgoingEvent } from '@parlance/events';
import type { GitRepository } from '@parlance/git';
import type { Component } from '../../domain/component';
import { setHead } from '../repository/set-head';
import { Action, changeEvent } from '../change-events';
import { commitPending } from '../commit/commit-pending';
import { scanChanges } from '../import/import-files';
import { ownsAnyFile } from '../import/plan-import';
import type { Log, Deps } from '../deps';
import { FileMerger } from './file-merger';
import { fetchUpstream, SUCCESS, type OperationResult } from './pull';
import type { RepositoryWork } from '../repository/repository-work';

/** The last push is unrelated to the current commit. */
const NOT_PUSHED = { pushed: null, pushedBranch: '', pushedAddress: '' };

/** Discards pending edits and unpushed commits. */
export async function reset(deps: Deps, work: RepositoryWork): Promise<OperationResult> {
  const { session, git, components, user, log } = work;
  const old = session.repository.head;
  // Fetches first, so that no edit is discarded if upstream is unavailable.
  const upstream = session.repository.upstream === null ? old : await fetchUpstream(deps, work);
  const events = components.map((component) =>
    changeEvent(component, Action.repositoryReset, {
      user,
      target: upstream ?? '',
      old: old ?? '',
      details: { old_head: old, new_head: upstream },
    }),
  );
  if (upstream !== null) await setHead(deps, session, git, upstream, { failure: '', ...NOT_PUSHED }, events);
  for (const component of components) await deps.translations.discard(component.settings.id);
  log('Reset to upstream');
  await scanChanges(deps, work, { all: true });
  return SUCCESS;
}

/** Replaces our commits by one commit that applies their strings to upstream's files. */
export async function resetKeep(deps: Deps, work: RepositoryWork): Promise<void> {
  const { session, git, components, user, log } = work;
  await commitPending(deps, work);
  const local = session.repository.head!;
  if (session.repository.upstream === null) return;
  const upstream = await fetchUpstream(deps, work);
  const { former } = session.repository;
  const forkPoint = former !== null && (await git.hasCommit(former)) ? former : upstream;
  const base = (await git.mergeBase(local, forkPoint)) ?? upstream;
  const { head, events: kept } = await applyLocalStrings(
    deps,
    { git, base, local },
    { git, head: upstream },
    components,
    log,
  );
  const events = components.map((component) =>
    changeEvent(component, Action.repositoryReset, {
      user,
      target: upstream,
      old: local,
      details: { old_head: local, new_head: head, kept: true },
    }),
  );
  await setHead(deps, session, git, head, { failure: '', former: null, ...NOT_PUSHED }, [...events, ...kept]);
  await scanChanges(deps, work, { all: true });
}

/**
 * Applies the texts that one history has over its base to the files of another history, and adds missing translation files.
 * @returns the commit with the texts, or the unchanged head if there are none, and history entries
 */
export async function applyLocalStrings(
  deps: Pick<Deps, 'translations' | 'committer'>,
  from: { git: GitRepository; base: string; local: string },
  to: { git: GitRepository; head: string },
  components: readonly Component[],
  log: Log,
): Promise<{ head: string; events: OutgoingEvent[] }> {
  const merger = new FileMerger(deps, components, from, log);
  const changes: { path: string; bytes: Buffer }[] = [];
  for (const { path, kind } of await from.git.changedPaths(from.base, from.local)) {
    if (kind === 'removed' || !components.some((component) => ownsAnyFile(component, [path]))) continue;
    const [base, local, upstream] = [
      await from.git.readFile(from.base, path),
      await from.git.readFile(from.local, path),
      await to.git.readFile(to.head, path),
    ];
    if (!local || local.hash === upstream?.hash) continue;
    const bytes = await merger.resolve({
      path,
      base: base?.bytes ?? null,
      local: local.bytes,
      upstream: upstream?.bytes ?? null,
    });
    if (Buffer.isBuffer(bytes) && !upstream?.bytes.equals(bytes)) changes.push({ path, bytes });
    else if (bytes === undefined) log(`${path}: texts could not be applied; they stay in the history`);
  }
  if (merger.conflicts.length > 0) await deps.translations.recordConflicts(merger.conflicts, to.head);
  const events = merger.events();
  if (changes.length === 0) return { head: to.head, events };
  const committer = deps.committer();
  const [commit] = await to.git.commit(to.head, [
    { changes, author: committer, committer, message: 'Keep translations missing from the repository' },
  ]);
  return { head: commit!, events };
}
