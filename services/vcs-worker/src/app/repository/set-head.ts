import type { OutgoingEvent } from '@parlance/events';
import type { GitRepository } from '@parlance/git';
import type { RepositoryChange, SavedCommits } from '../../domain/repository';
import type { Deps } from '../deps';
import type { Session } from './repository-queue';

/** Maximum number of incremental bundles; more are merged into one. */
const MAX_ROW = 24;

/**
 * Moves the current commit. Unpushed commits are saved to the store first, so that they survive the loss of this disk; then the
 * repository document is updated with the events.
 */
export async function setHead(
  deps: Pick<Deps, 'commits'>,
  session: Session,
  git: GitRepository,
  head: string,
  change: RepositoryChange = {},
  events: OutgoingEvent[] = [],
): Promise<void> {
  const before = session.repository;
  const upstream = change.upstream === undefined ? before.upstream : change.upstream;
  if (head === upstream) {
    await session.write({ ...change, head, former: null, saved: [], ahead: 0, behind: 0 }, events);
    await git.protectCommit(head);
    for (const saved of before.saved) await deps.commits.remove(saved.id);
    return;
  }
  const reachable = upstream !== null && (await git.hasCommit(upstream));
  const row = await extendedRow(
    deps,
    git,
    before.head,
    head,
    before.saved,
    reachable ? upstream : null,
    upstream === before.upstream,
  );
  const distance = reachable ? await git.distance(head, upstream) : { ahead: 0, behind: 0 };
  await session.write({ ...change, head, saved: row, ...distance }, events);
  await git.protectCommit(head);
  const kept = new Set(row.map((saved) => saved.id));
  for (const saved of before.saved) if (!kept.has(saved.id)) await deps.commits.remove(saved.id);
}

async function extendedRow(
  deps: Pick<Deps, 'commits'>,
  git: GitRepository,
  oldHead: string | null,
  head: string,
  row: readonly SavedCommits[],
  upstream: string | null,
  sameUpstream: boolean,
): Promise<SavedCommits[]> {
  const bases = upstream === null ? [] : [upstream];
  const continues =
    sameUpstream &&
    row.length > 0 &&
    row.length < MAX_ROW &&
    oldHead === row.at(-1)!.head &&
    (await git.isAncestor(oldHead, head));
  if (continues && oldHead === head) return [...row];
  // Incremental bundle: a long history is not written again with every commit.
  const bundle = await git.createBundle(head, continues ? [...bases, oldHead!] : bases);
  if (bundle === null) return continues ? [...row] : [];
  const saved = { ...(await deps.commits.save(bundle)), head };
  return continues ? [...row, saved] : [saved];
}
