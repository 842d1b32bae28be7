import { GitError, MergeConflictError } from './errors';
import type { ImportCommit, TreeChange } from './fast-import';
import type { ChangedFile, FileVersion } from './parse';
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
  const joined = await joinTrees(repository, { ours: local, theirs: upstream, localIs: 2 }, request.resolve);
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
  const changes = await joinTrees(repository, { ours: ours!, theirs: theirs!, localIs: 3 }, request.resolve);
  const [head] = await repository.importCommits([
    { parents: [onto], author: commit.author, committer: request.committer, message: commit.message, changes },
  ]);
  const [made] = await repository.readCommits([head!]);
  return made!.tree === ontoInfo!.tree ? onto : head!;
}

/** What the two sides of a merge are: the commits, and which of them is the local one. */
interface Sides {
  ours: string;
  theirs: string;
  localIs: 2 | 3;
}

/**
 * Merges two commits' trees, path by path: what only the local side changed is put into upstream's tree. Whatever file both sides
 * changed is asked for, also where git could join it: git joins lines, and knows neither what a file's strings are nor which files
 * belong together. So it has no say in renames, either.
 */
async function joinTrees(repository: GitRepository, sides: Sides, resolve: Resolver): Promise<TreeChange[]> {
  const { ours, theirs, localIs } = sides;
  const [local, upstream] = localIs === 2 ? [ours, theirs] : [theirs, ours];
  const base = await repository.mergeBase(ours, theirs);
  if (base === null) throw new GitError('failed', 'The two histories have nothing in common.');
  const [info] = await repository.readCommits([upstream]);
  const mine = await repository.changedFiles(base, local);
  const others = await repository.changedFiles(base, upstream);
  const joiner = new Joiner(repository, { base, local, upstream }, resolve);
  const removals: TreeChange[] = [];
  const files: TreeChange[] = [];
  const open: string[] = [];
  for (const [path, { before, after }] of mine) {
    const other = others.get(path);
    if (!other) {
      if (!after) removals.push({ path, remove: true });
      else if (isBelowAFile(path, others)) open.push(path);
      else files.push({ path, object: after.hash, mode: after.mode });
      continue;
    }
    if (after?.hash === other.after?.hash) continue;
    const settled = await joiner.settle(path, { base: before, local: after, upstream: other.after });
    if (!settled || (after && isBelowAFile(path, others))) open.push(path);
    else for (const change of settled) ('remove' in change ? removals : files).push(change);
  }
  if (open.length > 0) throw new MergeConflictError(open);
  return [{ tree: info!.tree }, ...removals, ...files];
}

/** Whether a side made a file where a folder of a path was. */
function isBelowAFile(path: string, changes: ReadonlyMap<string, ChangedFile>): boolean {
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1))
    if (changes.get(path.slice(0, at))?.after) return true;
  return false;
}

/** The versions of a file; undefined: that commit does not have it. */
interface Versions {
  base: FileVersion | undefined;
  local: FileVersion | undefined;
  upstream: FileVersion | undefined;
}

class Joiner {
  private moves: Promise<Map<string, string>> | undefined;
  private lines: Promise<{ tree: string; conflicts: ReadonlySet<string> }> | undefined;

  constructor(
    private readonly repository: GitRepository,
    private readonly commits: { base: string; local: string; upstream: string },
    private readonly resolve: Resolver,
  ) {}

  /** @returns what becomes of a file that both sides changed; null: nobody can say */
  async settle(path: string, { base, local, upstream }: Versions): Promise<TreeChange[] | null> {
    const there = [base, local, upstream].filter((version) => version !== undefined);
    // Links and submodules are nobody's translation.
    if (!there.every(({ mode }) => mode.startsWith('100'))) return null;
    const bytesOf = async (version: FileVersion | undefined) => (version ? await this.blob(version.hash) : null);
    const conflict: Conflict = {
      path,
      base: await bytesOf(base),
      local: await bytesOf(local),
      upstream: await bytesOf(upstream),
    };
    if (local && upstream) {
      const { tree, conflicts } = await this.joinLines();
      if (!conflicts.has(path)) conflict.joined = await this.blob(`${tree}:${path}`);
    }
    const moved = base && !upstream ? await this.placeOf(path) : undefined;
    if (moved !== undefined)
      conflict.moved = { path: moved, bytes: await this.blob(`${this.commits.upstream}:${moved}`) };
    const resolution = await this.resolve(conflict);
    if (resolution === null) return [{ path, remove: true }];
    const executable = there.some(({ mode }) => mode === '100755');
    const bytes = resolution ?? conflict.joined;
    if (bytes === undefined) return null;
    if (Buffer.isBuffer(bytes)) return [{ path, bytes, executable }];
    return [
      { path, remove: true },
      { path: moved!, bytes: bytes.moved, executable },
    ];
  }

  private async blob(name: string): Promise<Buffer> {
    return (await this.repository.run(['cat-file', 'blob', name])).stdout;
  }

  /** What git makes of both sides line by line. */
  private joinLines(): Promise<{ tree: string; conflicts: ReadonlySet<string> }> {
    const { local, upstream } = this.commits;
    return (this.lines ??= this.repository
      .run(['merge-tree', '--write-tree', '-z', '--no-messages', '--name-only', local, upstream], { answers: [1] })
      .then(({ stdout }) => {
        const [tree = '', ...conflicts] = stdout.toString('utf8').split('\0');
        return { tree: tree.trim(), conflicts: new Set(conflicts) };
      }));
  }

  /** Where upstream has a file by now that looks like one that it removed. */
  private async placeOf(path: string): Promise<string | undefined> {
    this.moves ??= this.repository.movedFiles(this.commits.base, this.commits.upstream);
    return (await this.moves).get(path);
  }
}
