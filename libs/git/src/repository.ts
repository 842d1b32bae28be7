import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { REMOTE } from './remote/connection';
import { failureFrom, GitError } from './errors';
import * as history from './history';
import { importStream, type ImportCommit } from './objects/fast-import';
import { initRepository } from './init-repository';
import { mergeCommits, type MergeRepository, type MergeRequest } from './merge';
import { checkedBranch, checkedHash, checkedPath } from './names';
import { ObjectReader } from './objects/object-reader';
import { SharedObjectReader } from './objects/shared-object-reader';
import { parseCommit, parseKinds, parseObjects, parseRemoteHead, parseTree, type ChangedFile } from './objects/parse';
import type { GitOperation, GitOptions } from './options';
import { readBlobs } from './objects/read-blobs';
import { runRemote } from './remote/run-remote';
import { runGit, type GitOutput } from './process/run';
import { FOLDER_MODE, parseTreeObject } from './objects/tree-changes';
import type { CommitInfo, EntryKind, MergeOutcome, NewCommit, TreeEntry } from './types';

/** Size limit of an object that an ObjectReader reads, in bytes. */
const MAX_OBJECT_BYTES = 256 * 1024 * 1024;
/** Paths per command line. */
const PATHS_AT_ONCE = 200;
/** Own refs. Branches and tags of the remote are never created. */
const HEAD_REF = 'refs/parlance/head';
const FETCH_REF = 'refs/parlance/fetched';

/**
 * A bare repository. Files are read from and written to git's object database directly. Therefore content of a repository never
 * becomes a file, link, hook or setting on this machine, bytes are never converted, and an interrupted operation has no effect.
 * Operations take and return commit hashes; the caller stores the current one.
 */
export class GitRepository implements MergeRepository {
  private readonly objects = new SharedObjectReader(() => this.objectReader());
  /** The commit that `protectCommit` protected last. */
  private protectedCommit: string | undefined;

  private constructor(
    readonly folder: string,
    private readonly options: GitOptions,
    private isNew = false,
  ) {}

  private measure<T>(operation: GitOperation, run: () => Promise<T>): Promise<T> {
    return this.options.measure ? this.options.measure(operation, run) : run();
  }

  /** Opens a repository that `create` made; null if the folder holds none. */
  static async open(folder: string, options: GitOptions): Promise<GitRepository | null> {
    const there = await stat(join(folder, 'objects')).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return there ? new GitRepository(folder, options) : null;
  }

  /** Creates an empty repository atomically. */
  static async create(folder: string, options: GitOptions): Promise<GitRepository> {
    await initRepository(folder, options);
    return new GitRepository(folder, options, true);
  }

  /** Removes the repository from disk. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs a command in this repository, without network access. */
  run(
    args: readonly string[],
    more: { input?: Buffer; signal?: AbortSignal; allowedExitCodes?: readonly number[]; maxOutputBytes?: number } = {},
  ): Promise<GitOutput> {
    return runGit({
      home: this.options.home,
      gitDir: this.folder,
      args,
      timeoutMs: this.options.localTimeoutMs,
      ...more,
    });
  }

  /** A reader for many objects; the caller closes it. */
  objectReader(): ObjectReader {
    const { home, localTimeoutMs: timeoutMs } = this.options;
    return new ObjectReader({ home, gitDir: this.folder, timeoutMs, maxObjectBytes: MAX_OBJECT_BYTES });
  }

  /**
   * Reads the head of a branch without fetching.
   * @param branch empty: the default branch
   * @throws GitError no-branch, empty, and network failures
   */
  async remoteBranch(url: string, branch: string, signal?: AbortSignal): Promise<{ branch: string; hash: string }> {
    const wanted = branch === '' ? 'HEAD' : `refs/heads/${checkedBranch(branch)}`;
    const { stdout } = await runRemote(
      this.folder,
      this.options,
      url,
      ['ls-remote', '--quiet', '--symref', '--', REMOTE, wanted],
      {
        signal,
      },
    );
    return parseRemoteHead(stdout, wanted, branch);
  }

  /**
   * Fetches a branch with its whole history: merges need the common ancestor, and unpushed commits must find their base.
   * @returns the head of the branch
   */
  async fetch(url: string, branch: string, signal?: AbortSignal): Promise<string> {
    const ref = `refs/heads/${checkedBranch(branch)}`;
    const fetch = () =>
      runRemote(
        this.folder,
        this.options,
        url,
        ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--force', '--', REMOTE, `+${ref}:${FETCH_REF}`],
        { signal },
      );
    await this.measure(this.isNew ? 'clone' : 'fetch', fetch);
    this.isNew = false;
    const hash = await this.resolveCommit(FETCH_REF);
    if (hash === null) throw new GitError('no-branch', `The repository has no branch ${branch}.`);
    return hash;
  }

  /**
   * Pushes a commit to a branch.
   * @param mode fast-forward: rejected if the branch would lose commits; an expected hash: rejected unless the branch points to it
   *   (null: the branch must not exist); force: overwrites the branch
   * @throws GitError stale when the branch has moved, rejected when the host rejects the push
   */
  async push(
    url: string,
    commit: string,
    branch: string,
    mode: 'fast-forward' | 'force' | { expected: string | null },
    signal?: AbortSignal,
  ): Promise<void> {
    const ref = `refs/heads/${checkedBranch(branch)}`;
    const how =
      mode === 'fast-forward'
        ? []
        : mode === 'force'
          ? ['--force']
          : [`--force-with-lease=${ref}:${mode.expected === null ? '' : checkedHash(mode.expected)}`];
    const push = () =>
      runRemote(
        this.folder,
        this.options,
        url,
        ['push', '--quiet', '--porcelain', '--no-verify', ...how, '--', REMOTE, `${checkedHash(commit)}:${ref}`],
        { signal },
      );
    await this.measure('push', push);
  }

  /** The commit of an own ref; null if it is missing. */
  private async resolveCommit(name: string): Promise<string | null> {
    const { code, stdout } = await this.run(
      ['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`],
      { allowedExitCodes: [1, 128] },
    );
    return code === 0 ? stdout.toString('latin1').trim() : null;
  }

  async hasCommit(hash: string): Promise<boolean> {
    return this.objects.use(async (objects) => (await objects.read(`${checkedHash(hash)}^{commit}`)) !== null);
  }

  /** Protects a commit and its history from garbage collection. */
  async protectCommit(hash: string): Promise<void> {
    if (this.protectedCommit === hash) return;
    await this.run(['update-ref', HEAD_REF, checkedHash(hash)]);
    this.protectedCommit = hash;
  }

  /** Every file of a commit. Links and submodules are not files. */
  async listFiles(commit: string): Promise<TreeEntry[]> {
    return parseTree((await this.run(['ls-tree', '-r', '-z', '-l', '--full-tree', checkedHash(commit)])).stdout);
  }

  /** A file of a commit; null if it is missing or not a regular file. */
  async readFile(commit: string, path: string): Promise<{ hash: string; bytes: Buffer } | null> {
    const names = checkedPath(path).split('/');
    return this.objects.use(async (objects) => {
      let folder = await objects.read(`${checkedHash(commit)}^{tree}`);
      for (const name of names.slice(0, -1)) {
        const entry = folder && parseTreeObject(folder.bytes).get(name);
        folder = entry?.mode === FOLDER_MODE ? await objects.read(entry.hash) : null;
      }
      const file = folder && parseTreeObject(folder.bytes).get(names.at(-1)!);
      const object = file?.mode.startsWith('100') ? await objects.read(file.hash) : null;
      return object && { hash: object.hash, bytes: object.bytes };
    });
  }

  /**
   * The entry that prevents a new file at a path, or null: a link, submodule or folder at the path, or a parent that is not a folder.
   */
  async findObstacle(commit: string, path: string): Promise<{ path: string; kind: EntryKind } | null> {
    const parts = checkedPath(path).split('/');
    const places = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    const { stdout } = await this.run(['ls-tree', '-z', '--full-tree', checkedHash(commit), '--', ...places]);
    // ls-tree also lists siblings.
    const entries = parseKinds(stdout).filter((entry) => places.includes(entry.path));
    return entries.find(({ path: place, kind }) => kind !== (place === path ? 'file' : 'folder')) ?? null;
  }

  /** Contents of blobs in the given order. The next batch is read while the caller processes the current one. */
  readBlobs(
    entries: readonly { hash: string; size: number }[],
    signal?: AbortSignal,
  ): AsyncGenerator<{ hash: string; bytes: Buffer }> {
    return readBlobs(this, entries, signal);
  }

  /** Commits by hash, in order. */
  async readCommits(hashes: readonly string[]): Promise<CommitInfo[]> {
    if (hashes.length === 0) return [];
    const input = Buffer.from(hashes.map((hash) => `${checkedHash(hash)}\n`).join(''));
    const { stdout } = await this.run(['cat-file', '--batch', '--buffer'], { input });
    return [...parseObjects(stdout)].map((object) => parseCommit(object.hash, object.bytes));
  }

  /** Hashes of commits in the history of `included` but not of `excluded`, oldest first. */
  commitsBetween(excluded: string, included: string, options?: { merges: boolean }): Promise<string[]> {
    return history.commitsBetween(this, excluded, included, options);
  }

  /** Number of commits that only one side has. */
  distance(local: string, upstream: string): Promise<{ ahead: number; behind: number }> {
    return history.distance(this, local, upstream);
  }

  /** Paths that differ between two commits. */
  changedPaths(from: string, to: string): Promise<{ path: string; kind: 'added' | 'changed' | 'removed' }[]> {
    return history.changedPaths(this, from, to);
  }

  /** Both versions of each file that differs between two commits. */
  changedFiles(from: string, to: string): Promise<Map<string, ChangedFile>> {
    return history.changedFiles(this, from, to);
  }

  /** New paths of renamed files by their old paths, with git's default similarity. */
  movedFiles(from: string, to: string): Promise<Map<string, string>> {
    return history.movedFiles(this, from, to);
  }

  /** Creates a chain of commits on top of `parent` (null: a root commit). No ref moves. */
  async commit(parent: string | null, commits: readonly NewCommit[]): Promise<string[]> {
    const paths = [...new Set(commits.flatMap((commit) => commit.changes.map((change) => checkedPath(change.path))))];
    const modes = new Map<string, boolean>();
    for (let at = 0; parent !== null && at < paths.length; at += PATHS_AT_ONCE) {
      const { stdout } = await this.run([
        'ls-tree',
        '-z',
        '-l',
        '--full-tree',
        checkedHash(parent),
        '--',
        ...paths.slice(at, at + PATHS_AT_ONCE),
      ]);
      for (const entry of parseTree(stdout)) modes.set(entry.path, entry.executable);
    }
    const imported = () =>
      this.importCommits(
        commits.map((commit, index) => ({
          parents: index > 0 ? [index - 1] : parent === null ? [] : [parent],
          author: commit.author,
          committer: commit.committer,
          message: commit.message,
          changes: commit.changes.map((change) =>
            change.bytes === null
              ? { path: change.path, remove: true as const }
              : { path: change.path, bytes: change.bytes, executable: modes.get(change.path) === true },
          ),
        })),
      );
    return this.measure('commit', imported);
  }

  /** Creates commits. @returns their hashes in order */
  async importCommits(commits: readonly ImportCommit[]): Promise<string[]> {
    if (commits.length === 0) return [];
    const { stdout } = await this.run(['fast-import', '--quiet', '--force', '--done', '--date-format=raw'], {
      input: importStream(commits),
    });
    const hashes = stdout.toString('latin1').split('\n').filter(Boolean);
    if (hashes.length !== commits.length) throw new GitError('failed', 'git fast-import did not create every commit.');
    return hashes;
  }

  /**
   * Merges or rebases local commits with upstream's. The resolver decides about files that both sides changed.
   * @throws MergeConflictError with the files that the resolver left open; the repository is unchanged
   */
  merge(request: MergeRequest): Promise<MergeOutcome> {
    return this.measure('merge', () => mergeCommits(this, request));
  }

  /** Whether one history contains another. */
  isAncestor(ancestor: string, descendant: string): Promise<boolean> {
    return history.isAncestor(this, ancestor, descendant);
  }

  /** Newest common ancestor; null for unrelated histories. */
  mergeBase(one: string, other: string): Promise<string | null> {
    return history.mergeBase(this, one, other);
  }

  /** A git bundle with a commit's history, without the history of the excluded commits; null if it would be empty. */
  async createBundle(commit: string, excluded: readonly string[]): Promise<Buffer | null> {
    await this.protectCommit(commit);
    const { code, stdout, stderr } = await this.run(
      ['bundle', 'create', '--quiet', '-', HEAD_REF, ...excluded.map((hash) => `^${checkedHash(hash)}`)],
      { allowedExitCodes: [128] },
    );
    if (code === 0) return stdout;
    if (/empty bundle/i.test(stderr)) return null;
    throw failureFrom(stderr, stderr.trim() || 'git bundle ended unexpectedly.');
  }

  /**
   * Imports the commits of a bundle.
   * @throws GitError incomplete when its prerequisite commits are missing
   */
  async restoreBundle(bundle: Buffer, commit: string): Promise<void> {
    const file = join(this.folder, `restore-${randomUUID()}.bundle`);
    try {
      await writeFile(file, bundle, { mode: 0o600 });
      await this.run(['bundle', 'unbundle', file]);
    } finally {
      await rm(file, { force: true });
    }
    if (!(await this.hasCommit(commit)))
      throw new GitError('incomplete', `The bundle does not contain the commit ${commit}.`);
    await this.protectCommit(commit);
  }

  /** Number of loose objects. */
  async looseObjects(): Promise<number> {
    return parseInt((await this.run(['count-objects'])).stdout.toString('latin1'), 10);
  }

  /** Packs objects and deletes unreachable ones. */
  async collectGarbage(signal?: AbortSignal): Promise<void> {
    await this.run(['gc', '--quiet', '--prune=1.hour.ago'], signal ? { signal } : {});
  }
}
