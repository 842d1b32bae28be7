import { GitError, MergeConflictError } from './errors';
import type { ImportCommit, TreeChange } from './objects/fast-import';
import type { ObjectReader } from './objects/object-reader';
import { parseCommit, type ChangedFile, type FileVersion } from './objects/parse';
import type { GitRepository } from './repository';
import { changedInTrees } from './objects/tree-changes';
import type { CommitInfo, Conflict, MergeOutcome, MergeStyle, Resolver, Signature } from './types';

const placeholder: Signature = { name: 'merge', email: 'merge@localhost', timeMs: 0 };

export interface MergeRequest {
  local: string;
  upstream: string;
  /**
   * Previous upstream commit, set when upstream rewrote its history. Only the local side's own commits are then rebased onto the new
   * history, for every style: a merge would restore the commits that upstream dropped.
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
  const objects = repository.objectReader();
  try {
    const merge = former !== null || style === 'rebase' ? rebase : mergeHeads;
    return { kind: 'merged', head: await merge({ repository, objects }, request, former) };
  } finally {
    await objects.close();
  }
}

/** Repository and object reader of a merge. */
interface MergeContext {
  repository: GitRepository;
  objects: ObjectReader;
}

async function readCommit({ objects }: MergeContext, hash: string): Promise<CommitInfo> {
  const object = await objects.read(hash);
  if (object?.type !== 'commit') throw new GitError('incomplete', `The repository has no commit ${hash}.`);
  return parseCommit(hash, object.bytes);
}

/** Ours is the local side, as in `git merge` run on the local branch. */
async function mergeHeads(context: MergeContext, request: MergeRequest): Promise<string> {
  const { repository } = context;
  const { local, upstream, committer, message } = request;
  const base = await repository.mergeBase(local, upstream);
  if (base === null) throw new GitError('failed', 'The two histories have no common ancestor.');
  const treeOf = async (hash: string) => (await readCommit(context, hash)).tree;
  const trees = { base: await treeOf(base), local: await treeOf(local), upstream: await treeOf(upstream) };
  const changes = await mergeTrees(context, trees, { local, upstream }, request.resolve);
  const [head] = await repository.importCommits([
    { parents: [local, upstream], author: committer, committer, message, changes },
  ]);
  return head!;
}

async function rebase(context: MergeContext, request: MergeRequest, former: string | null): Promise<string> {
  const { repository } = context;
  const { upstream, local, committer } = request;
  const hashes = await repository.commitsBetween(upstream, local, { merges: false });
  const theirs = new Set(former === null ? [] : await repository.commitsBetween(upstream, former));
  const commits: { commit: CommitInfo; parentTree: string | null }[] = [];
  for (const hash of hashes) {
    const commit = await readCommit(context, hash);
    // Commits that this committer pushed are kept even if upstream dropped them.
    if (theirs.has(hash) && commit.committer.email !== committer.email) continue;
    const [parent] = commit.parents;
    commits.push({ commit, parentTree: parent === undefined ? null : (await readCommit(context, parent)).tree });
  }
  let head = upstream;
  let { tree } = await readCommit(context, upstream);
  if (commits.length === 0) return head;
  let made = await repository.importCommits(makeStandInCommits(commits[0]!, [{ tree }], 0));
  for (const [index, { commit, parentTree }] of commits.entries()) {
    const [, ours, theirs] = made;
    const trees = { base: parentTree, local: commit.tree, upstream: tree };
    const changes = await mergeTrees(context, trees, { local: theirs!, upstream: ours! }, request.resolve);
    const { author, message } = commit;
    const next = commits[index + 1];
    const [hash, ...rest] = await repository.importCommits([
      { parents: [head], author, committer, message, changes },
      ...(next ? makeStandInCommits(next, changes, 1) : []),
    ]);
    made = rest;
    const joined = (await readCommit(context, hash!)).tree;
    // Upstream already contains the change: the commit is dropped.
    if (joined === tree) continue;
    head = hash!;
    tree = joined;
  }
  return head;
}

/**
 * Three temporary commits for `merge-tree`, which finds the base by history: base (the commit's own parent), target and the commit
 * itself. They are imported together with the preceding commit, which saves a process.
 * @param onto changes that make the target tree
 * @param at index of the first temporary commit in its import
 */
function makeStandInCommits(
  { commit, parentTree }: { commit: CommitInfo; parentTree: string | null },
  onto: readonly TreeChange[],
  at: number,
): ImportCommit[] {
  const makeStandInCommit = (parents: number[], changes: readonly TreeChange[]): ImportCommit => ({
    parents,
    author: placeholder,
    committer: placeholder,
    message: 'merge',
    changes,
  });
  return [
    makeStandInCommit([], parentTree === null ? [] : [{ tree: parentTree }]),
    makeStandInCommit([at], onto),
    makeStandInCommit([at], [{ tree: commit.tree }]),
  ];
}

/** Hashes of the three trees of a merge. */
interface MergeTrees {
  /** Null: the empty tree. */
  base: string | null;
  local: string;
  upstream: string;
}

/** Commits of both sides for `merge-tree`, which finds the base in their history. */
interface ConflictSides {
  local: string;
  upstream: string;
}

/**
 * Three-way merge of trees, path by path: files that only the local side changed are put into upstream's tree. The resolver decides about
 * every file that both sides changed, even if git could merge its lines: git knows neither the strings of a file nor which files belong
 * together. For the same reason, git's rename detection does not decide.
 */
async function mergeTrees(
  context: MergeContext,
  trees: MergeTrees,
  sides: ConflictSides,
  resolve: Resolver,
): Promise<TreeChange[]> {
  const mine = await changedInTrees(context.objects, trees.base, trees.local);
  const others = await changedInTrees(context.objects, trees.base, trees.upstream);
  const merger = new FileMerger(context, trees, sides, resolve);
  const removals: TreeChange[] = [];
  const files: TreeChange[] = [];
  const open: string[] = [];
  for (const [path, { before, after }] of mine) {
    const other = others.get(path);
    if (!other) {
      if (!after) removals.push({ path, remove: true });
      else if (isInsideFile(path, others)) open.push(path);
      else files.push({ path, object: after.hash, mode: after.mode });
      continue;
    }
    if (after?.hash === other.after?.hash) continue;
    const settled = await merger.merge(path, { base: before, local: after, upstream: other.after });
    if (!settled || (after && isInsideFile(path, others))) open.push(path);
    else for (const change of settled) ('remove' in change ? removals : files).push(change);
  }
  if (open.length > 0) throw new MergeConflictError(open);
  return [{ tree: trees.upstream }, ...removals, ...files];
}

/** Whether a change puts a file where the path needs a folder. */
function isInsideFile(path: string, changes: ReadonlyMap<string, ChangedFile>): boolean {
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1))
    if (changes.get(path.slice(0, at))?.after) return true;
  return false;
}

/** The versions of a file; undefined: the file does not exist in that commit. */
interface FileVersions {
  base: FileVersion | undefined;
  local: FileVersion | undefined;
  upstream: FileVersion | undefined;
}

class FileMerger {
  private moves: Promise<Map<string, string>> | undefined;
  private lines: Promise<{ tree: string; conflicts: ReadonlySet<string> }> | undefined;

  constructor(
    private readonly context: MergeContext,
    private readonly trees: MergeTrees,
    private readonly sides: ConflictSides,
    private readonly resolve: Resolver,
  ) {}

  /** @returns the changes that merge a file which both sides changed; null: an open conflict */
  async merge(path: string, { base, local, upstream }: FileVersions): Promise<TreeChange[] | null> {
    const there = [base, local, upstream].filter((version) => version !== undefined);
    // Links and submodules are never translation files.
    if (!there.every(({ mode }) => mode.startsWith('100'))) return null;
    const bytesOf = async (version: FileVersion | undefined) => (version ? await this.blob(version.hash) : null);
    const conflict: Conflict = {
      path,
      base: await bytesOf(base),
      local: await bytesOf(local),
      upstream: await bytesOf(upstream),
    };
    if (local && upstream) {
      const { tree, conflicts } = await this.mergeLines();
      if (!conflicts.has(path)) conflict.joined = await this.blob(`${tree}:${path}`);
    }
    const moved = base && !upstream ? await this.newPathOf(path) : undefined;
    if (moved !== undefined)
      conflict.moved = { path: moved, bytes: await this.blob(`${this.trees.upstream}:${moved}`) };
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
    const object = await this.context.objects.read(name);
    if (object?.type !== 'blob') throw new GitError('broken', 'A file of the repository is missing.');
    return object.bytes;
  }

  /** Git's line-based merge of both sides. */
  private mergeLines(): Promise<{ tree: string; conflicts: ReadonlySet<string> }> {
    const { local, upstream } = this.sides;
    return (this.lines ??= this.context.repository
      .run(['merge-tree', '--write-tree', '-z', '--no-messages', '--name-only', local, upstream], {
        allowedExitCodes: [1],
      })
      .then(({ stdout }) => {
        const [tree = '', ...conflicts] = stdout.toString('utf8').split('\0');
        return { tree: tree.trim(), conflicts: new Set(conflicts) };
      }));
  }

  /** Path to which upstream seems to have moved a file. */
  private async newPathOf(path: string): Promise<string | undefined> {
    this.moves ??= this.context.repository.movedFiles(this.trees.base!, this.trees.upstream);
    return (await this.moves).get(path);
  }
}
