// The two servers under comparison, and a folder of git repositories that both clone.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exchange } from '../bench/support/exchange.mjs';
import { makeApi } from '../support/api.mjs';

/** Longest `Retry-After` that is waited for, in seconds. */
const MAX_WAIT = 30;

/**
 * Uses a new connection for every request, because the peer may close an idle one while a request is in flight. Repeats refused requests.
 * @throws Error if the rate limit is exceeded, because comparing refusals tells nothing
 */
async function once(url, request) {
  for (;;) {
    const answer = await exchange(url, { ...request, keepAlive: false });
    if (answer.status !== 429) return answer;
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    if (seconds > MAX_WAIT) throw new Error(`${url}: the rate limit is exceeded; raise it for the comparison`);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** Sends the same request to both sides. `path` and `body` may be functions of the side. */
export class Sides {
  constructor(ours, theirs, report) {
    this.ours = { name: 'ours', ids: new Map(), ...makeApi(ours.url, ours.token, once) };
    this.theirs = { name: 'theirs', ids: new Map(), ...makeApi(theirs.url, theirs.token, once) };
    this.report = report;
  }

  get both() {
    return [this.ours, this.theirs];
  }

  /** Returns the responses of both sides in the order ours, theirs. */
  async ask(method, path, body, headers) {
    const of = (value, side) => (typeof value === 'function' ? value(side) : value);
    return Promise.all(
      this.both.map(async (side) => ({
        base: side.base,
        ...(await this.#send(side, method, of(path, side), of(body, side), headers)),
      })),
    );
  }

  #send(side, method, path, body, headers) {
    this.judge.ask(method, path);
    return side.send(method, path, body, headers);
  }

  /** Asks both and compares. @returns the two answers */
  async step(area, name, method, path, body, options = {}) {
    const answers = await this.ask(method, path, body, options.request);
    this.report.answer(area, name, ...answers, options);
    this.#judge(name, method, path, answers);
    return answers;
  }

  /** Validates our response against the peer's published schema. Violations that its own response shares are ignored. */
  #judge(name, method, path, answers) {
    const [ours, theirs] = answers;
    if (ours.status !== theirs.status || ours.status >= 300) return;
    const [a, b] = this.both.map((side, i) =>
      this.judge.faults(method, typeof path === 'function' ? path(side) : path, answers[i].status, answers[i].body),
    );
    if (!a) return;
    const own = new Set(b.map((fault) => fault.path + fault.message));
    const faults = a.filter((fault) => !own.has(fault.path + fault.message));
    if (faults.length === 0)
      this.report.count('schema', name, { path: 'valid', ours: true, theirs: true, equal: true });
    for (const { path: where, message } of faults)
      this.report.count('schema', name, { path: where, ours: message, theirs: 'valid', equal: false });
  }

  /** Creates a component on both sides and waits for its import. */
  async component(project, settings) {
    const query = encodeURIComponent(`component:="${settings.slug}" AND project:="${project}"`);
    const strings = async (side) => (await side.get(`/api/units/?q=${query}&page_size=1`)).count;
    await Promise.all(
      this.both.map(async (side) => {
        const made = await side.post(`/api/projects/${project}/components/`, settings);
        if (made.task_url) await side.finished(made.task_url);
        // The peer may omit the task although the import is still running.
        for (let quiet = 0, before = -1; quiet < 3;) {
          const count = await strings(side);
          quiet = count === before && count > 0 ? quiet + 1 : 0;
          before = count;
          await new Promise((resolve) => setTimeout(resolve, 400));
        }
      }),
    );
    // A busy peer pauses between two files for longer than that.
    for (let round = 0; round < IMPORT_ROUNDS; round++) {
      const [ours, theirs] = await Promise.all(this.both.map(strings));
      if (ours === theirs) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    console.log(`  ${settings.slug}: the sides have different numbers of strings`);
  }
}

/** Rounds of asking again while the sides have different numbers of strings. */
const IMPORT_ROUNDS = 120;

const git = (cwd, ...args) =>
  execFileSync(
    'git',
    ['-c', 'user.name=Developer', '-c', 'user.email=dev@example.com', '-c', 'init.defaultBranch=main', ...args],
    { cwd, stdio: 'pipe' },
  );

/** Bare repositories behind `git daemon` on 127.0.0.1. */
export class Remotes {
  static async start() {
    const folder = mkdtempSync(join(tmpdir(), 'parlance-agree-'));
    const port = await new Promise((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
    });
    const daemon = spawn(
      'git',
      [
        'daemon',
        '--reuseaddr',
        '--export-all',
        '--enable=receive-pack',
        '--listen=127.0.0.1',
        `--port=${port}`,
        `--base-path=${folder}`,
        folder,
      ],
      { stdio: 'ignore' },
    );
    return new Remotes(folder, port, daemon);
  }

  constructor(folder, port, daemon) {
    Object.assign(this, { folder, port, daemon });
  }

  /** Creates a repository from files. @returns its address */
  make(name, files) {
    const tree = join(this.folder, `${name}.tree`);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), content);
    }
    git(tree, 'init', '-q');
    git(tree, 'add', '-A');
    git(tree, 'commit', '-q', '-m', 'Initial strings');
    git(this.folder, 'clone', '-q', '--bare', tree, join(this.folder, `${name}.git`));
    return `git://127.0.0.1:${this.port}/${name}.git`;
  }

  stop() {
    this.daemon.kill();
  }
}
