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

/** Bounds and ways of a host of repositories. */
export interface GitOptions {
  /** Folder for everything git may want to keep; ours alone. */
  home: string;
  policy: RemotePolicy;
  ssh: SshOptions;
  /** Milliseconds that a command with the network may take. */
  networkTimeoutMs: number;
  /** Milliseconds that any other command may take. */
  localTimeoutMs: number;
  /** Bytes that a repository may have on disk. */
  maxRepositoryBytes: number;
  /** Runs an operation and measures it. */
  measure?: <T>(operation: GitOperation, run: () => Promise<T>) => Promise<T>;
}

const WATCH_INTERVAL_MS = 500;
/** Bytes of an object that is read by itself. */
const MAX_OBJECT_BYTES = 256 * 1024 * 1024;
/** Paths that go into one command line. */
const PATHS_AT_ONCE = 200;
/** Blobs are read in portions of this size, so that memory stays bounded however many are asked for. */
const READ_PORTION_BYTES = 16 * 1024 * 1024;
/** Refs of ours; branches and tags of the remote are never made here. */
const HEAD_REF = 'refs/parlance/head';
const FETCH_REF = 'refs/parlance/fetched';

/**
 * A repository on disk, without a work tree: files are read from and written to git's objects directly. So nothing from a
 * repository ever becomes a file, a link, a hook or a setting on this machine, bytes are never converted on their way, and an
 * operation that dies leaves nothing half done. Which commit is current is the caller's to remember: operations take and give
 * commit hashes.
 */
export class GitRepository {
  private constructor(
    readonly folder: string,
    private readonly options: GitOptions,
    private isNew = false,
  ) {}

  private measured<T>(operation: GitOperation, run: () => Promise<T>): Promise<T> {
    return this.options.measure ? this.options.measure(operation, run) : run();
  }

  /** Opens a repository that `create` made; null when there is none. */
  static async open(folder: string, options: GitOptions): Promise<GitRepository | null> {
    const there = await stat(join(folder, 'objects')).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return there ? new GitRepository(folder, options) : null;
  }

  /** Makes an empty repository. It appears under its name only when it is complete. */
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

  /** Runs a command in this repository, without a network. */
  run(
    args: readonly string[],
    more: { input?: Buffer; signal?: AbortSignal; answers?: readonly number[]; maxOutputBytes?: number } = {},
  ): Promise<GitOutput> {
    return runGit({
      home: this.options.home,
      gitDir: this.folder,
      args,
      timeoutMs: this.options.localTimeoutMs,
      ...more,
    });
  }

  /** Reads many objects with one process; the caller closes it. */
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

  /** Stops a download that would make the repository larger than allowed: git itself has no such bound. */
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
   * Looks at a remote without fetching: the branch that is asked for, or its default branch.
   * @throws GitError no-branch, empty and those of the network
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
   * @returns the branch's newest commit
   */
  async fetch(url: string, branch: string, signal?: AbortSignal): Promise<string> {
    const ref = `refs/heads/${checkedBranch(branch)}`;
    const fetch = () =>
      this.runRemote(
        url,
        ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--force', '--', REMOTE, `+${ref}:${FETCH_REF}`],
        { signal },
      );
    await this.measured(this.isNew ? 'clone' : 'fetch', fetch);
    this.isNew = false;
    const hash = await this.resolve(FETCH_REF);
    if (hash === null) throw new GitError('no-branch', `The repository has no branch ${branch}.`);
    return hash;
  }

  /**
   * Pushes a commit to a branch.
   * @param mode fast-forward: only if nothing of the branch gets lost; an expected hash: only if the branch is still there, null:
   *   only if there is no such branch; force: whatever the branch holds
   * @throws GitError stale when the branch has moved, rejected when the host refuses
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
    await this.measured('push', push);
  }

  /** The commit that a name stands for; null when there is none. Names are hashes or refs of ours. */
  private async resolve(name: string): Promise<string | null> {
    const { code, stdout } = await this.run(
      ['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`],
      { answers: [1, 128] },
    );
    return code === 0 ? stdout.toString('latin1').trim() : null;
  }

  async hasCommit(hash: string): Promise<boolean> {
    return (await this.resolve(checkedHash(hash))) !== null;
  }

  /** Keeps a commit and its history from housekeeping. */
  async keep(hash: string): Promise<void> {
    await this.run(['update-ref', HEAD_REF, checkedHash(hash)]);
  }

  /** Every file of a commit. Links and submodules are not files. */
  async listFiles(commit: string): Promise<TreeEntry[]> {
    return parseTree((await this.run(['ls-tree', '-r', '-z', '-l', '--full-tree', checkedHash(commit)])).stdout);
  }

  /** One file of a commit; null when it is not there or is no plain file. */
  async readFile(commit: string, path: string): Promise<{ hash: string; bytes: Buffer } | null> {
    const listed = await this.run(
      ['ls-tree', '-z', '-l', '--full-tree', checkedHash(commit), '--', checkedPath(path)],
      { answers: [128] },
    );
    const entry = parseTree(listed.stdout).find((found) => found.path === path);
    if (!entry) return null;
    for await (const blob of this.readBlobs([entry])) return blob;
    return null;
  }

  /**
   * What keeps a file from being made under a path that is none now: a link, a submodule or a folder there, or something that is no
   * folder above it. Null: nothing does.
   */
  async obstacle(commit: string, path: string): Promise<{ path: string; kind: EntryKind } | null> {
    const parts = checkedPath(path).split('/');
    const places = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    const { stdout } = await this.run(['ls-tree', '-z', '--full-tree', checkedHash(commit), '--', ...places]);
    // Neighbours are listed too.
    const entries = parseKinds(stdout).filter((entry) => places.includes(entry.path));
    return entries.find(({ path: place, kind }) => kind !== (place === path ? 'file' : 'folder')) ?? null;
  }

  /** Contents of blobs in the given order, read in bulk; the next portion is read while the caller works on one. */
  async *readBlobs(
    entries: readonly { hash: string; size: number }[],
    signal?: AbortSignal,
  ): AsyncGenerator<{ hash: string; bytes: Buffer }> {
    const portions: { hash: string; size: number }[][] = [];
    let room = 0;
    for (const entry of entries) {
      if (portions.length === 0 || room < entry.size) {
        portions.push([]);
        room = READ_PORTION_BYTES;
      }
      portions.at(-1)!.push(entry);
      room -= entry.size;
    }
    const read = (portion: { hash: string; size: number }[]) => {
      const reading = this.run(['cat-file', '--batch', '--buffer'], {
        input: Buffer.from(portion.map((entry) => `${checkedHash(entry.hash)}\n`).join('')),
        maxOutputBytes: portion.reduce((sum, entry) => sum + entry.size + 100, 1024),
        ...(signal ? { signal } : {}),
      });
      // It may fail while the caller is busy with the portion before it; the failure is thrown when its turn comes.
      reading.catch(() => undefined);
      return reading;
    };
    let ahead = portions[0] && read(portions[0]);
    for (let at = 0; at < portions.length; at++) {
      const { stdout } = await ahead!;
      ahead = portions[at + 1] && read(portions[at + 1]!);
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

  /** Hashes of commits that are in one history and not in another, oldest first. */
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

  /** How many commits each side has that the other has not. */
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

  /** The versions of each file that differs between two commits; undefined: that commit does not have it. */
  async changedFiles(from: string, to: string): Promise<Map<string, ChangedFile>> {
    const { stdout } = await this.run(['diff-tree', '-r', '-z', '--no-renames', checkedHash(from), checkedHash(to)]);
    return parseDiff(stdout);
  }

  /** Where files of one commit seem to be in a later one, by the places where they were; as similar as git asks for by itself. */
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

  /** Makes commits one on top of the other, the first on top of `parent` (null: the first of a history). No ref moves. */
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
    return this.measured('commit', imported);
  }

  /** Makes commits; answers their hashes in order. */
  async importCommits(commits: readonly ImportCommit[]): Promise<string[]> {
    if (commits.length === 0) return [];
    const { stdout } = await this.run(['fast-import', '--quiet', '--force', '--done', '--date-format=raw'], {
      input: importStream(commits),
    });
    const hashes = stdout.toString('latin1').split('\n').filter(Boolean);
    if (hashes.length !== commits.length) throw new GitError('failed', 'Not every commit was made.');
    return hashes;
  }

  /**
   * Brings upstream's commits together with the local ones. Files that both sides changed go to the resolver.
   * @throws MergeConflictError with the files that the resolver left open; nothing has changed then
   */
  merge(request: MergeRequest): Promise<MergeOutcome> {
    return this.measured('merge', () => mergeCommits(this, request));
  }

  /** Whether everything of one history is in another. */
  async isAncestor(ancestor: string, descendant: string): Promise<boolean> {
    const { code } = await this.run(['merge-base', '--is-ancestor', checkedHash(ancestor), checkedHash(descendant)], {
      answers: [1],
    });
    return code === 0;
  }

  /** Newest commit that both histories have; null when they have nothing in common. */
  async mergeBase(one: string, other: string): Promise<string | null> {
    const { code, stdout } = await this.run(['merge-base', checkedHash(one), checkedHash(other)], { answers: [1] });
    return code === 0 ? stdout.toString('latin1').trim() : null;
  }

  /** A commit's history as one file, without what the excluded commits bring; null when nothing remains. */
  async createBundle(commit: string, excluded: readonly string[]): Promise<Buffer | null> {
    await this.keep(commit);
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
   * Takes a bundle's commits in.
   * @throws GitError incomplete when the commits it builds on are not here
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
      throw new GitError('incomplete', 'The saved commits do not hold the one that is asked for.');
    await this.keep(commit);
  }

  /** How many objects lie in files of their own. */
  async looseObjects(): Promise<number> {
    return parseInt((await this.run(['count-objects'])).stdout.toString('latin1'), 10);
  }

  /** Housekeeping: packs objects and drops those that nothing needs. */
  async tidy(signal?: AbortSignal): Promise<void> {
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
