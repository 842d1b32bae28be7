import { GitError, MergeConflictError } from './errors';
import type { ImportCommit, TreeChange } from './fast-import';
import { parseMergeTree, type Stage } from './parse';
import type { GitRepository } from './repository';
import type { CommitInfo, Conflict, MergeOutcome, MergeStyle, Resolver, Signature } from './types';

const nobody: Signature = { name: 'merge', email: 'merge@localhost', timeMs: 0 };

export interface MergeRequest {
  local: string;
  upstream: string;
  /**
   * Given where upstream rewrote its history: what it was before, on which the local side stands. Only the local side's own
   * commits are then put on top of the new history, whatever the style; joined with the old one, everything that upstream gave
   * up would come back.
   */
  former?: string | null;
  style: MergeStyle;
  message: string;
  committer: Signature;
  resolve: Resolver;
}

/** See GitRepository.merge. */
export async function mergeCommits(repository: GitRepository, request: MergeRequest): Promise<MergeOutcome> {
  const { local, upstream, style } = request;
  const former = request.former && (await repository.hasCommit(request.former)) ? request.former : null;
  if (former === null && (await repository.isAncestor(upstream, local))) return { kind: 'up-to-date', head: local };
  if (style !== 'merge_noff' && (await repository.isAncestor(local, upstream)))
    return { kind: 'fast-forward', head: upstream };
  if (former !== null || style === 'rebase') return rebase(repository, request, former);
  // Ours is the local side, as in `git merge` run on the local branch.
  const joined = await joinTrees(repository, local, upstream, { localIs: 2 }, request.resolve);
  const [head] = await repository.importCommits([
    {
      parents: [local, upstream],
      author: request.committer,
      committer: request.committer,
      message: request.message,
      changes: joined,
    },
  ]);
  return { kind: 'merged', head: head! };
}

async function rebase(repository: GitRepository, request: MergeRequest, former: string | null): Promise<MergeOutcome> {
  const { upstream, local, committer } = request;
  const hashes = await repository.commitsBetween(upstream, local, { merges: false });
  const theirs = new Set(former === null ? [] : await repository.commitsBetween(upstream, former));
  // What we pushed is ours still when upstream gives it up.
  const own = ({ hash, committer: by }: CommitInfo) => !theirs.has(hash) || by.email === committer.email;
  const commits = (await repository.readCommits(hashes)).filter(own);
  let head = upstream;
  for (const commit of commits) head = await replay(repository, commit, head, request);
  return { kind: 'merged', head };
}

/** Puts one local commit on top of another history. A commit whose change is there already disappears. */
async function replay(
  repository: GitRepository,
  commit: CommitInfo,
  onto: string,
  request: MergeRequest,
): Promise<string> {
  const [parent] = commit.parents;
  const [ontoInfo, parentInfo] = await repository.readCommits(parent === undefined ? [onto] : [onto, parent]);
  // merge-tree finds the base by history: three commits stand in for the trees, so that the base is the commit's own parent.
  const stand = (tree: string | undefined, parents: number[]): ImportCommit => ({
    parents,
    author: nobody,
    committer: nobody,
    message: 'merge',
    changes: tree === undefined ? [] : [{ tree }],
  });
  const [, ours, theirs] = await repository.importCommits([
    stand(parentInfo?.tree, []),
    stand(ontoInfo!.tree, [0]),
    stand(commit.tree, [0]),
  ]);
  const changes = await joinTrees(repository, ours!, theirs!, { localIs: 3 }, request.resolve);
  const [head] = await repository.importCommits([
    { parents: [onto], author: commit.author, committer: request.committer, message: commit.message, changes },
  ]);
  const [made] = await repository.readCommits([head!]);
  return made!.tree === ontoInfo!.tree ? onto : head!;
}

/** Merges two commits' trees; files in conflict are asked for. */
async function joinTrees(
  repository: GitRepository,
  ours: string,
  theirs: string,
  sides: { localIs: 2 | 3 },
  resolve: Resolver,
): Promise<TreeChange[]> {
  const { code, stdout } = await repository.run(['merge-tree', '--write-tree', '-z', '--no-messages', ours, theirs], {
    answers: [1],
  });
  const { tree, stages } = parseMergeTree(stdout);
  if (tree === '') throw new GitError('failed', 'The two histories have nothing in common.');
  const changes: TreeChange[] = [{ tree }];
  if (code === 0) return changes;
  const byPath = new Map<string, Stage[]>();
  for (const stage of stages) byPath.set(stage.path, [...(byPath.get(stage.path) ?? []), stage]);
  const open: string[] = [];
  for (const [path, found] of byPath) {
    const change = await settle(repository, path, found, sides, resolve);
    if (change) changes.push(change);
    else open.push(path);
  }
  if (open.length > 0 || byPath.size === 0) throw new MergeConflictError(open);
  return changes;
}

async function settle(
  repository: GitRepository,
  path: string,
  stages: readonly Stage[],
  sides: { localIs: 2 | 3 },
  resolve: Resolver,
): Promise<TreeChange | null> {
  // Links and submodules are nobody's translation.
  if (!stages.every((stage) => stage.mode.startsWith('100'))) return null;
  const bytesOf = async (number: 1 | 2 | 3): Promise<Buffer | null> => {
    const stage = stages.find((candidate) => candidate.stage === number);
    if (!stage) return null;
    const { stdout } = await repository.run(['cat-file', 'blob', stage.hash]);
    return stdout;
  };
  const conflict: Conflict = {
    path,
    base: await bytesOf(1),
    local: await bytesOf(sides.localIs),
    upstream: await bytesOf(sides.localIs === 2 ? 3 : 2),
  };
  const resolution = await resolve(conflict);
  if (resolution === undefined) return null;
  if (resolution === null) return { path, remove: true };
  return { path, bytes: resolution, executable: stages.some((stage) => stage.mode === '100755') };
}
