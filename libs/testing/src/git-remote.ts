import { execFileSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startGitDaemon } from './git-daemon';

/** Contents by path; null removes the file. */
export type Files = Record<string, string | Buffer | null>;

export interface CommitOptions {
  message?: string;
  author?: string;
  email?: string;
  branch?: string;
  /** Parent of the commit instead of the branch head, which rewrites history; null: no parent. */
  onto?: string | null;
}

export interface CommitInfo {
  hash: string;
  author: string;
  email: string;
  message: string;
}

/** A bare repository in a directory of its own, which acts as a git host with a developer. */
export class GitRemote {
  private readonly folder = mkdtempSync(join(tmpdir(), 'parlance-remote-'));
  /** The bare repository. */
  readonly path: string;
  private readonly checkout = join(this.folder, 'developer');
  private daemon: ChildProcess | undefined;

  /** name: of the repository; branch: its default branch. Empty until the first commit. */
  constructor(
    private readonly name = 'project',
    private readonly branch = 'main',
  ) {
    this.path = join(this.folder, `${name}.git`);
    this.git(this.folder, 'init', '--quiet', '--bare', `--initial-branch=${branch}`, this.path);
    this.git(this.folder, 'init', '--quiet', `--initial-branch=${branch}`, this.checkout);
    this.git(this.checkout, 'remote', 'add', 'origin', this.path);
  }

  get fileUrl(): string {
    return pathToFileURL(this.path).href;
  }

  /** Commits files on top of the branch or another commit, pushes, and returns the hash. */
  commit(files: Files, options: CommitOptions = {}): string {
    const { message = 'Change', author = 'Ada Developer', email = 'ada@example.org', branch = this.branch } = options;
    this.git(this.checkout, 'fetch', '--quiet', 'origin');
    const { onto } = options;
    const exists = this.git(this.checkout, 'branch', '--remotes', '--list', `origin/${branch}`) !== '';
    if (onto === null) {
      this.git(this.checkout, 'checkout', '--quiet', '--detach');
      this.git(this.checkout, 'branch', '--quiet', '-D', branch);
      this.git(this.checkout, 'checkout', '--quiet', '--orphan', branch);
      this.git(this.checkout, 'rm', '-r', '--quiet', '--force', '.');
    } else if (onto !== undefined) this.git(this.checkout, 'checkout', '--quiet', '-B', branch, onto);
    else if (exists) this.git(this.checkout, 'checkout', '--quiet', '-B', branch, `origin/${branch}`);
    else this.git(this.checkout, 'checkout', '--quiet', '-B', branch);
    for (const [path, content] of Object.entries(files)) {
      const target = join(this.checkout, path);
      mkdirSync(dirname(target), { recursive: true });
      if (content === null) rmSync(target, { force: true });
      else writeFileSync(target, content);
    }
    this.git(this.checkout, 'add', '--all');
    this.git(
      this.checkout,
      '-c',
      `user.name=${author}`,
      '-c',
      `user.email=${email}`,
      'commit',
      '--quiet',
      '--allow-empty',
      `--message=${message}`,
    );
    this.git(this.checkout, 'push', '--quiet', ...(onto === undefined ? [] : ['--force']), 'origin', branch);
    return this.git(this.checkout, 'rev-parse', 'HEAD');
  }

  /** Resets the branch to a commit. */
  reset(commit: string, branch = this.branch): void {
    this.git(this.path, 'update-ref', `refs/heads/${branch}`, commit);
  }

  /** Removes a branch. */
  remove(branch: string): void {
    this.git(this.path, 'update-ref', '-d', `refs/heads/${branch}`);
  }

  /** Commits a symbolic link on top of the branch. */
  link(path: string, target: string): void {
    const hash = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: this.checkout, input: target });
    this.entry(path, '120000', hash.toString().trim());
  }

  /** Commits a submodule at a commit of this repository. */
  submodule(path: string): void {
    this.entry(path, '160000', this.log()[0]!.hash);
  }

  /** Prunes unreachable commits. */
  tidy(): void {
    this.git(this.path, 'gc', '--quiet', '--prune=now');
  }

  private entry(path: string, mode: string, hash: string): void {
    this.git(this.checkout, 'fetch', '--quiet', 'origin');
    this.git(this.checkout, 'checkout', '--quiet', '-B', this.branch, `origin/${this.branch}`);
    this.git(this.checkout, 'update-index', '--add', '--cacheinfo', `${mode},${hash},${path}`);
    const author = ['-c', 'user.name=Ada Developer', '-c', 'user.email=ada@example.org'];
    this.git(this.checkout, ...author, 'commit', '--quiet', '--message=Change');
    this.git(this.checkout, 'push', '--quiet', 'origin', this.branch);
    this.git(this.checkout, 'reset', '--quiet', '--hard');
  }

  /** The bytes of a file in the remote. */
  read(path: string, revision = this.branch): Buffer {
    return execFileSync('git', ['show', `${revision}:${path}`], { cwd: this.path, maxBuffer: 256 * 1024 * 1024 });
  }

  /** The remote's history, newest first. */
  log(revision = this.branch): CommitInfo[] {
    const text = this.git(this.path, 'log', '-z', '--format=%H%x01%an%x01%ae%x01%B', revision);
    return text
      .split('\0')
      .filter(Boolean)
      .map((record) => {
        const [hash = '', author = '', email = '', message = ''] = record.split('\x01');
        return { hash, author, email, message: message.trim() };
      });
  }

  /** Output of `git diff` between two revisions. */
  diff(from: string, to = this.branch): string {
    return this.git(this.path, 'diff', '--unified=0', from, to);
  }

  /** Serves the repository over git:// with push access until close. Returns its URL. */
  async serve(): Promise<string> {
    const program = join(this.git(this.folder, '--exec-path'), 'git-daemon');
    const options = ['--export-all', '--enable=receive-pack', `--base-path=${this.folder}`, this.folder];
    const { daemon, port } = await startGitDaemon(program, options);
    this.daemon = daemon;
    return `git://127.0.0.1:${port}/${this.name}.git`;
  }

  /** Stops the daemon and removes the repository. */
  close(): void {
    this.daemon?.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private git(cwd: string, ...args: string[]): string {
    const isolated = {
      ...process.env,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
    };
    return execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      env: isolated,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }
}
