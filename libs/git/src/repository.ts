import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { connect, redirectTarget, REMOTE, type SshOptions } from './connection';
import type { EnvironmentAddition } from './environment';
import { GitError, isGitError } from './errors';
import { importStream, type ImportCommit } from './fast-import';
import { mergeCommits, type MergeRequest } from './merge';
import { checkedBranch, checkedHash, checkedPath } from './names';
import { ObjectReader } from './object-reader';
import { parseCommit, parseDiff, parseKinds, parseObjects, parseTree, type ChangedFile } from './parse';
import type { RemotePolicy } from './remote-url';
import { runGit, type GitOutput } from './run';
import type { CommitInfo, EntryKind, MergeOutcome, NewCommit, TreeEntry } from './types';

/** Operations that are measured. A clone is the first fetch of a repository. */
export type GitOperation = 'clone' | 'fetch' | 'commit' | 'merge' | 'push';

/** Limits and access of the repositories of a process. */
export interface GitOptions {
  /** HOME of git, used by no other program. */
  home: string;
  policy: RemotePolicy;
  ssh: SshOptions;
  /** Timeout of network commands, in milliseconds. */
  networkTimeoutMs: number;
  /** Timeout of other commands, in milliseconds. */
  localTimeoutMs: number;
  /** Size limit of a repository on disk, in bytes. */
  maxRepositoryBytes: number;
  /** Runs an operation and measures it. */
  measure?: <T>(operation: GitOperation, run: () => Promise<T>) => Promise<T>;
}

const WATCH_INTERVAL_MS = 500;
/** Size limit of an object that an ObjectReader reads, in bytes. */
const MAX_OBJECT_BYTES = 256 * 1024 * 1024;
/** Paths per command line. */
const PATHS_AT_ONCE = 200;
/** Blobs are read in batches of this size, which bounds memory. */
const READ_BATCH_BYTES = 16 * 1024 * 1024;
/** Own refs. Branches and tags of the remote are never created. */
const HEAD_REF = 'refs/parlance/head';
const FETCH_REF = 'refs/parlance/fetched';

/**
 * A bare repository. Files are read from and written to git's object database directly. Therefore content of a repository never
 * becomes a file, link, hook or setting on this machine, bytes are never converted, and an interrupted operation has no effect.
 * Operations take and return commit hashes; the caller stores the current one.
 */
export class GitRepository {
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
    const draft = `${folder}.new-${randomUUID()}`;
    await mkdir(draft, { recursive: true, mode: 0o700 });
    try {
      await runGit({
        home: options.home,
        args: [
          'init',
          '--quiet',
          '--bare',
          '--template=',
          '--object-format=sha1',
          '--initial-branch=main',
          '--',
          draft,
        ],
        timeoutMs: options.localTimeoutMs,
      });
      await rm(folder, { recursive: true, force: true });
      await rename(draft, folder);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
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

  private async runRemote(
    url: string,
    args: readonly string[],
    more: { signal?: AbortSignal; settings?: readonly (readonly [string, string])[] },
  ): Promise<GitOutput> {
    const attempt = async (address: string): Promise<GitOutput> => {
      const { environment, secrets } = await connect(address, this.options.policy, this.options.ssh);
      const addition: EnvironmentAddition = {
        ...environment,
        settings: [...(environment.settings ?? []), ...(more.settings ?? [])],
      };
      const watch = this.watchSize(more.signal);
      try {
        return await runGit({
          ...addition,
          home: this.options.home,
          gitDir: this.folder,
          args,
          secrets,
          signal: watch.signal,
          timeoutMs: this.options.networkTimeoutMs,
        });
      } catch (error) {
        throw watch.problem() ?? error;
      } finally {
        watch.stop();
      }
    };
    try {
      return await attempt(url);
    } catch (error) {
      if (!isGitError(error) || !/returned error: 30\d|redirect/i.test(error.message)) throw error;
      const target = await redirectTarget(url, this.options.policy, more.signal);
      if (target === null) throw error;
      return attempt(target);
    }
  }

  /** Stops a download that exceeds the size limit. Git has no option for this. */
  private watchSize(signal: AbortSignal | undefined): {
    signal: AbortSignal;
    stop(): void;
    problem(): GitError | undefined;
  } {
    const control = new AbortController();
    let problem: GitError | undefined;
    const timer = setInterval(() => {
      void folderSize(this.folder).then((size) => {
        if (size <= this.options.maxRepositoryBytes || problem) return;
        problem = new GitError(
          'too-large',
          `The repository is larger than ${Math.round(this.options.maxRepositoryBytes / 1024 / 1024)} MiB.`,
        );
        control.abort();
      });
    }, WATCH_INTERVAL_MS);
    return {
      signal: signal ? AbortSignal.any([signal, control.signal]) : control.signal,
      stop: () => clearInterval(timer),
      problem: () => problem,
    };
  }

  /**
   * Reads the head of a branch without fetching.
   * @param branch empty: the default branch
   * @throws GitError no-branch, empty, and network failures
   */
  async remoteBranch(url: string, branch: string, signal?: AbortSignal): Promise<{ branch: string; hash: string }> {
    const wanted = branch === '' ? 'HEAD' : `refs/heads/${checkedBranch(branch)}`;
    const { stdout } = await this.runRemote(url, ['ls-remote', '--quiet', '--symref', '--', REMOTE, wanted], {
      signal,
    });
    let target = branch;
    let hash = '';
    for (const line of stdout.toString('utf8').split('\n')) {
      const [value, name] = line.split('\t');
      if (name !== wanted || value === undefined) continue;
      if (value.startsWith('ref: refs/heads/')) target = value.slice('ref: refs/heads/'.length);
      else hash = value;
    }
    if (hash === '') {
      if (branch !== '') throw new GitError('no-branch', `The repository has no branch ${branch}.`);
      throw new GitError('empty', 'The repository has no default branch; name one, or make a first commit.');
    }
    if (!/^[0-9a-f]{40}$/.test(hash))
      throw new GitError('broken', 'Repositories with SHA-256 names are not supported.');
    return { branch: checkedBranch(target), hash };
  }

  /**
   * Fetches a branch with its whole history: merges need the common ancestor, and unpushed commits must find their base.
   * @returns the head of the branch
   */
  async fetch(url: string, branch: string, signal?: AbortSignal): Promise<string> {
    const ref = `refs/heads/${checkedBranch(branch)}`;
    const fetch = () =>
      this.runRemote(
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
      this.runRemote(
        url,
        ['push', '--quiet', '--porcelain', '--no-verify', ...how, '--', REMOTE, `${checkedHash(commit)}:${ref}`],
        { signal },
      );
    await this.measure('push', push);
  }

  /** The commit of a hash or an own ref; null if it is missing. */
  private async resolveCommit(name: string): Promise<string | null> {
    const { code, stdout } = await this.run(
      ['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`],
      { allowedExitCodes: [1, 128] },
    );
    return code === 0 ? stdout.toString('latin1').trim() : null;
  }

  async hasCommit(hash: string): Promise<boolean> {
    return (await this.resolveCommit(checkedHash(hash))) !== null;
  }

  /** Protects a commit and its history from garbage collection. */
  async protectCommit(hash: string): Promise<void> {
    await this.run(['update-ref', HEAD_REF, checkedHash(hash)]);
  }

  /** Every file of a commit. Links and submodules are not files. */
  async listFiles(commit: string): Promise<TreeEntry[]> {
    return parseTree((await this.run(['ls-tree', '-r', '-z', '-l', '--full-tree', checkedHash(commit)])).stdout);
  }

  /** A file of a commit; null if it is missing or not a regular file. */
  async readFile(commit: string, path: string): Promise<{ hash: string; bytes: Buffer } | null> {
    const listed = await this.run(
      ['ls-tree', '-z', '-l', '--full-tree', checkedHash(commit), '--', checkedPath(path)],
      { allowedExitCodes: [128] },
    );
    const entry = parseTree(listed.stdout).find((found) => found.path === path);
    if (!entry) return null;
    for await (const blob of this.readBlobs([entry])) return blob;
    return null;
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
  async *readBlobs(
    entries: readonly { hash: string; size: number }[],
    signal?: AbortSignal,
  ): AsyncGenerator<{ hash: string; bytes: Buffer }> {
    const batches: { hash: string; size: number }[][] = [];
    let room = 0;
    for (const entry of entries) {
      if (batches.length === 0 || room < entry.size) {
        batches.push([]);
        room = READ_BATCH_BYTES;
      }
      batches.at(-1)!.push(entry);
      room -= entry.size;
    }
    const read = (batch: { hash: string; size: number }[]) => {
      const reading = this.run(['cat-file', '--batch', '--buffer'], {
        input: Buffer.from(batch.map((entry) => `${checkedHash(entry.hash)}\n`).join('')),
        maxOutputBytes: batch.reduce((sum, entry) => sum + entry.size + 100, 1024),
        ...(signal ? { signal } : {}),
      });
      // A failure is thrown when the caller reaches this batch; until then it must not count as unhandled.
      reading.catch(() => undefined);
      return reading;
    };
    let ahead = batches[0] && read(batches[0]);
    for (let at = 0; at < batches.length; at++) {
      const { stdout } = await ahead!;
      ahead = batches[at + 1] && read(batches[at + 1]!);
      for (const object of parseObjects(stdout)) yield { hash: object.hash, bytes: object.bytes };
    }
  }

  /** Commits by hash, in order. */
  async readCommits(hashes: readonly string[]): Promise<CommitInfo[]> {
    if (hashes.length === 0) return [];
    const input = Buffer.from(hashes.map((hash) => `${checkedHash(hash)}\n`).join(''));
    const { stdout } = await this.run(['cat-file', '--batch', '--buffer'], { input });
    return [...parseObjects(stdout)].map((object) => parseCommit(object.hash, object.bytes));
  }

  /** Hashes of commits in the history of `included` but not of `excluded`, oldest first. */
  async commitsBetween(
    excluded: string,
    included: string,
    options: { merges: boolean } = { merges: true },
  ): Promise<string[]> {
    const args = [
      'rev-list',
      '--topo-order',
      '--reverse',
      ...(options.merges ? [] : ['--no-merges']),
      checkedHash(included),
      `^${checkedHash(excluded)}`,
    ];
    return (await this.run(args)).stdout.toString('latin1').split('\n').filter(Boolean);
  }

  /** Number of commits that only one side has. */
  async distance(local: string, upstream: string): Promise<{ ahead: number; behind: number }> {
    const { stdout } = await this.run([
      'rev-list',
      '--left-right',
      '--count',
      `${checkedHash(local)}...${checkedHash(upstream)}`,
    ]);
    const [ahead, behind] = stdout.toString('latin1').trim().split(/\s+/).map(Number) as [number, number];
    return { ahead, behind };
  }

  /** Paths that differ between two commits. */
  async changedPaths(from: string, to: string): Promise<{ path: string; kind: 'added' | 'changed' | 'removed' }[]> {
    return [...(await this.changedFiles(from, to))].map(([path, { before, after }]) => ({
      path,
      kind: !before ? 'added' : !after ? 'removed' : 'changed',
    }));
  }

  /** Both versions of each file that differs between two commits. */
  async changedFiles(from: string, to: string): Promise<Map<string, ChangedFile>> {
    const { stdout } = await this.run(['diff-tree', '-r', '-z', '--no-renames', checkedHash(from), checkedHash(to)]);
    return parseDiff(stdout);
  }

  /** New paths of renamed files by their old paths, with git's default similarity. */
  async movedFiles(from: string, to: string): Promise<Map<string, string>> {
    const { stdout } = await this.run([
      'diff-tree',
      '-r',
      '-z',
      '--find-renames',
      '--diff-filter=R',
      '--name-status',
      checkedHash(from),
      checkedHash(to),
    ]);
    const parts = stdout.toString('utf8').split('\0');
    const found = new Map<string, string>();
    for (let at = 0; at + 2 < parts.length; at += 3) found.set(parts[at + 1]!, parts[at + 2]!);
    return found;
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
  async isAncestor(ancestor: string, descendant: string): Promise<boolean> {
    const { code } = await this.run(['merge-base', '--is-ancestor', checkedHash(ancestor), checkedHash(descendant)], {
      allowedExitCodes: [1],
    });
    return code === 0;
  }

  /** Newest common ancestor; null for unrelated histories. */
  async mergeBase(one: string, other: string): Promise<string | null> {
    const { code, stdout } = await this.run(['merge-base', checkedHash(one), checkedHash(other)], {
      allowedExitCodes: [1],
    });
    return code === 0 ? stdout.toString('latin1').trim() : null;
  }

  /** A git bundle with a commit's history, without the history of the excluded commits; null if it would be empty. */
  async createBundle(commit: string, excluded: readonly string[]): Promise<Buffer | null> {
    await this.protectCommit(commit);
    if (
      (
        await this.run([
          'rev-list',
          '--max-count=1',
          checkedHash(commit),
          ...excluded.map((hash) => `^${checkedHash(hash)}`),
        ])
      ).stdout.length === 0
    )
      return null;
    return (
      await this.run(['bundle', 'create', '--quiet', '-', HEAD_REF, ...excluded.map((hash) => `^${checkedHash(hash)}`)])
    ).stdout;
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

async function folderSize(folder: string): Promise<number> {
  let sum = 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += await folderSize(path);
    else if (entry.isFile())
      sum += await stat(path).then(
        (found) => found.size,
        () => 0,
      );
  }
  return sum;
}
