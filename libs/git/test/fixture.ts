import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { startGitDaemon } from '@parlance/testing';
import type { GitOptions } from '../src';

const environment = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Developer',
  GIT_AUTHOR_EMAIL: 'developer@example.com',
  GIT_COMMITTER_NAME: 'Developer',
  GIT_COMMITTER_EMAIL: 'developer@example.com',
};

/** Runs plain git, as a developer would on another machine. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** A folder for one test, with a bare remote and a developer's clone of it. */
export class Lab {
  readonly root = mkdtempSync(join(tmpdir(), 'parlance-git-'));
  readonly home = join(this.root, 'home');
  readonly remote = join(this.root, 'remotes', 'project.git');
  readonly desk = join(this.root, 'desk');
  private daemon: ChildProcess | undefined;

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.remote, { recursive: true });
    git(this.remote, 'init', '--quiet', '--bare', '--initial-branch=main');
    git(this.root, 'clone', '--quiet', this.remote, this.desk);
    git(this.desk, 'checkout', '--quiet', '-B', 'main');
  }

  options(more: Partial<GitOptions> = {}): GitOptions {
    return {
      home: this.home,
      policy: { allowPrivate: true },
      ssh: { knownHostsFile: join(this.home, 'known_hosts') },
      networkTimeoutMs: 30_000,
      localTimeoutMs: 30_000,
      maxRepositoryBytes: 1024 ** 3,
      ...more,
    };
  }

  folder(name: string): string {
    return join(this.root, name);
  }

  /** Writes files at the developer's desk, commits and pushes them; null removes a file. */
  develop(files: Record<string, string | Buffer | null>, message = 'Work'): string {
    for (const [path, content] of Object.entries(files)) {
      const target = join(this.desk, path);
      if (content === null) git(this.desk, 'rm', '--quiet', '--', path);
      else {
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, content);
      }
    }
    git(this.desk, 'add', '--all');
    git(this.desk, 'commit', '--quiet', '-m', message);
    git(this.desk, 'push', '--quiet', 'origin', 'HEAD');
    return git(this.desk, 'rev-parse', 'HEAD');
  }

  /** Counts the git processes that `work` starts, child processes of git included. */
  async countProcesses(work: () => Promise<unknown>): Promise<number> {
    const folder = mkdtempSync(join(this.root, 'trace-'));
    const events = join(folder, 'events');
    mkdirSync(events);
    const path = process.env['PATH']!;
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    // Git writes one file per process into a folder that GIT_TRACE2_EVENT names.
    const wrapper = `#!/bin/sh\nGIT_TRACE2_EVENT='${events}' exec '${real}' "$@"\n`;
    writeFileSync(join(folder, 'git'), wrapper, { mode: 0o755 });
    process.env['PATH'] = `${folder}${delimiter}${path}`;
    try {
      await work();
    } finally {
      process.env['PATH'] = path;
    }
    return readdirSync(events).length;
  }

  /** Starts a git daemon on 127.0.0.1. @returns its port */
  async serve(): Promise<number> {
    const remotes = join(this.root, 'remotes');
    const program = join(git(this.root, '--exec-path'), 'git-daemon');
    const options = [`--base-path=${remotes}`, '--export-all', '--enable=receive-pack', remotes];
    const { daemon, port } = await startGitDaemon(program, options, environment);
    this.daemon = daemon;
    return port;
  }

  async close(): Promise<void> {
    if (this.daemon) {
      this.daemon.kill('SIGTERM');
      await once(this.daemon, 'exit');
    }
    rmSync(this.root, { recursive: true, force: true });
  }
}

export const signature = (name: string, timeMs = 1_700_000_000_000) => ({
  name,
  email: `${name.toLowerCase()}@example.com`,
  timeMs,
});
