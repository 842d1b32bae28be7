import { GitError, MergeConflictError } from './errors';
import { mergeLines } from './merge-lines';
import type { ImportCommit, TreeChange } from './objects/fast-import';
import type { ObjectReader } from './objects/object-reader';
import { blobHash, parseCommit, type ChangedFile, type FileVersion } from './objects/parse';
import { changedInTrees } from './objects/tree-changes';
import type { CommandRunner } from './process/run';
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

/** Operations of a repository that merges need. */
export interface MergeRepository extends CommandRunner {
  hasCommit(hash: string): Promise<boolean>;
  isAncestor(ancestor: string, descendant: string): Promise<boolean>;
  mergeBase(one: string, other: string): Promise<string | null>;
  commitsBetween(excluded: string, included: string, options?: { merges: boolean }): Promise<string[]>;
  movedFiles(from: string, to: string): Promise<Map<string, string>>;
  importCommits(commits: readonly ImportCommit[]): Promise<string[]>;
  objectReader(): ObjectReader;
}

/** See GitRepository.merge. */
export async function mergeCommits(repository: MergeRepository, request: MergeRequest): Promise<MergeOutcome> {
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
  repository: MergeRepository;
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
  const sides = () => Promise.resolve({ local, upstream });
  const changes = await mergeTrees(context, trees, sides, request.resolve);
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
  const branch = new RebasedBranch(context, request, upstream, (await readCommit(context, upstream)).tree);
  for (const { commit, parentTree } of commits) await branch.add(commit, parentTree);
  return branch.finish();
}

/** Limits of commits that wait for their import. */
const MAX_WAITING = 500;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/**
 * The branch that a rebase builds. Commits that change only the contents of files are batched and imported by one process. Processes for
 * each commit would make a long rebase take minutes on a busy machine.
 */
class RebasedBranch {
  private waiting: ImportCommit[] = [];
  private waitingBytes = 0;
  /** Files that the waiting commits changed, and the contents of those that are not objects yet, by hash. */
  private readonly files = new Map<string, FileVersion>();
  private readonly contents = new Map<string, Buffer>();

  /**
   * @param head the last imported commit
   * @param tree its tree
   */
  constructor(
    private readonly context: MergeContext,
    private readonly request: MergeRequest,
    private head: string,
    private tree: string,
  ) {}

  /** Appends a commit, unless the branch already contains its changes. @param parentTree tree of its parent */
  async add(commit: CommitInfo, parentTree: string | null): Promise<void> {
    const mine = await changedInTrees(this.context.objects, parentTree, commit.tree);
    const edits = await this.edits(mine, parentTree);
    if (edits) await this.wait(commit, edits);
    else await this.addAlone(commit, parentTree);
  }

  /** Imports the waiting commits. @returns the head of the branch */
  async finish(): Promise<string> {
    if (this.waiting.length > 0) {
      this.head = (await this.context.repository.importCommits(this.waiting)).at(-1)!;
      this.tree = (await readCommit(this.context, this.head)).tree;
    }
    this.waiting = [];
    this.waitingBytes = 0;
    this.files.clear();
    this.contents.clear();
    return this.head;
  }

  /**
   * The files of the branch that a commit edits; null if it does more than editing contents, or if a merge needs git. No decision of
   * the resolver precedes a null, because the caller asks it again.
   */
  private async edits(mine: ReadonlyMap<string, ChangedFile>, parentTree: string | null): Promise<Edit[] | null> {
    const others = await changedInTrees(this.context.objects, parentTree, this.tree);
    const edits: Edit[] = [];
    for (const [path, { before, after }] of mine) {
      const now = this.files.get(path) ?? (others.has(path) ? others.get(path)!.after : before);
      if (!before || !after || !now || ![before, after, now].every(({ mode }) => mode.startsWith('100'))) return null;
      const edit: Edit = { path, before, after, now };
      if (!isSame(now, before) && after.hash !== now.hash) {
        const [base, local, upstream] = [await this.blob(before), await this.blob(after), await this.blob(now)];
        const joined = mergeLines(base, local, upstream);
        if (joined === undefined) return null;
        edit.conflict = { path, base, local, upstream, ...(joined ? { joined } : {}) };
      }
      edits.push(edit);
    }
    return edits;
  }

  private async wait({ author, message }: CommitInfo, edits: readonly Edit[]): Promise<void> {
    const changes: TreeChange[] = [];
    const open: string[] = [];
    let removes = false;
    for (const { path, before, after, now, conflict } of edits) {
      if (!conflict) {
        // Both sides made the same change.
        if (!isSame(now, before)) continue;
        changes.push({ path, object: after.hash, mode: after.mode });
        this.files.set(path, after);
        continue;
      }
      const resolution = await this.request.resolve(conflict);
      const bytes = resolution === undefined ? conflict.joined : resolution;
      if (bytes === undefined || (bytes !== null && !Buffer.isBuffer(bytes))) open.push(path);
      else if (bytes === null) {
        changes.push({ path, remove: true });
        removes = true;
      } else {
        const executable = [before, after, now].some(({ mode }) => mode === EXECUTABLE);
        const version = { hash: blobHash(bytes), mode: executable ? EXECUTABLE : '100644' };
        if (isSame(version, now)) continue;
        changes.push({ path, bytes, executable });
        this.files.set(path, version);
        this.contents.set(version.hash, bytes);
        this.waitingBytes += bytes.length;
      }
    }
    if (open.length > 0) throw new MergeConflictError(open);
    if (changes.length === 0) return;
    const parents = [this.waiting.length > 0 ? this.waiting.length - 1 : this.head];
    this.waiting.push({ parents, author, committer: this.request.committer, message, changes });
    if (removes || this.waiting.length >= MAX_WAITING || this.waitingBytes >= MAX_WAITING_BYTES) await this.finish();
  }

  /** Appends a commit that adds, removes or moves files, with git's help. */
  private async addAlone(commit: CommitInfo, parentTree: string | null): Promise<void> {
    await this.finish();
    const { repository } = this.context;
    const { committer, resolve } = this.request;
    const { author, message } = commit;
    const trees = { base: parentTree, local: commit.tree, upstream: this.tree };
    const sides = async (): Promise<ConflictSides> => {
      const [, upstream, local] = await repository.importCommits(makeStandInCommits(trees));
      return { local: local!, upstream: upstream! };
    };
    const changes = await mergeTrees(this.context, trees, sides, resolve);
    const [hash] = await repository.importCommits([{ parents: [this.head], author, committer, message, changes }]);
    const { tree } = await readCommit(this.context, hash!);
    // Upstream already contains the change: the commit is dropped.
    if (tree === this.tree) return;
    this.head = hash!;
    this.tree = tree;
  }

  private async blob({ hash }: FileVersion): Promise<Buffer> {
    return this.contents.get(hash) ?? (await readBlob(this.context, hash));
  }
}

const EXECUTABLE = '100755';

/** An edited file: the commit's own versions, and the version of the branch. */
interface Edit {
  path: string;
  before: FileVersion;
  after: FileVersion;
  now: FileVersion;
  /** Absent if only one side changed the file. */
  conflict?: Conflict;
}

const isSame = (one: FileVersion, other: FileVersion): boolean => one.hash === other.hash && one.mode === other.mode;

async function readBlob({ objects }: MergeContext, name: string): Promise<Buffer> {
  const object = await objects.read(name);
  if (object?.type !== 'blob') throw new GitError('broken', 'A file of the repository is missing.');
  return object.bytes;
}

/** Three temporary commits for `merge-tree`, which finds the base by history: the base, then upstream's and the local side. */
function makeStandInCommits({ base, local, upstream }: MergeTrees): ImportCommit[] {
  const makeStandInCommit = (parents: number[], tree: string | null): ImportCommit => ({
    parents,
    author: placeholder,
    committer: placeholder,
    message: 'merge',
    changes: tree === null ? [] : [{ tree }],
  });
  return [makeStandInCommit([], base), makeStandInCommit([0], upstream), makeStandInCommit([0], local)];
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
 * every file that both sides changed, even if git could merge its lines. Git knows neither the strings of a file nor the files of a
 * component. For the same reason, git's rename detection does not decide.
 */
async function mergeTrees(
  context: MergeContext,
  trees: MergeTrees,
  sides: () => Promise<ConflictSides>,
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
    private readonly sides: () => Promise<ConflictSides>,
    private readonly resolve: Resolver,
  ) {}

  /** @returns the changes that merge a file which both sides changed; null: an open conflict */
  async merge(path: string, { base, local, upstream }: FileVersions): Promise<TreeChange[] | null> {
    const there = [base, local, upstream].filter((version) => version !== undefined);
    // Links and submodules are never translation files.
    if (!there.every(({ mode }) => mode.startsWith('100'))) return null;
    const bytesOf = async (version: FileVersion | undefined) =>
      version ? await readBlob(this.context, version.hash) : null;
    const conflict: Conflict = {
      path,
      base: await bytesOf(base),
      local: await bytesOf(local),
      upstream: await bytesOf(upstream),
    };
    if (local && upstream) {
      const { tree, conflicts } = await this.joinLines();
      if (!conflicts.has(path)) conflict.joined = await readBlob(this.context, `${tree}:${path}`);
    }
    const moved = base && !upstream ? await this.newPathOf(path) : undefined;
    if (moved !== undefined)
      conflict.moved = { path: moved, bytes: await readBlob(this.context, `${this.trees.upstream}:${moved}`) };
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

  /** Git's line-based merge of both sides. */
  private joinLines(): Promise<{ tree: string; conflicts: ReadonlySet<string> }> {
    return (this.lines ??= this.sides()
      .then(({ local, upstream }) =>
        this.context.repository.run(
          ['merge-tree', '--write-tree', '-z', '--no-messages', '--name-only', local, upstream],
          { allowedExitCodes: [1] },
        ),
      )
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
