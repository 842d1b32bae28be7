import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, redirectTarget } from './connection';
import type { EnvironmentAddition } from '../process/environment';
import { GitError, isGitError } from '../errors';
import type { GitOptions } from '../options';
import { runGit, type GitOutput } from '../process/run';

const WATCH_INTERVAL_MS = 500;

/** Runs a command that connects to a remote. Follows one redirect, to an address that the policy allows. */
export async function runRemote(
  folder: string,
  options: GitOptions,
  url: string,
  args: readonly string[],
  more: { signal?: AbortSignal; settings?: readonly (readonly [string, string])[] },
): Promise<GitOutput> {
  const attempt = async (address: string): Promise<GitOutput> => {
    const { environment, secrets } = await connect(address, options.policy, options.ssh);
    const addition: EnvironmentAddition = {
      ...environment,
      settings: [...(environment.settings ?? []), ...(more.settings ?? [])],
    };
    const watch = watchSize(folder, options.maxRepositoryBytes, more.signal);
    try {
      return await runGit({
        ...addition,
        home: options.home,
        gitDir: folder,
        args,
        secrets,
        signal: watch.signal,
        timeoutMs: options.networkTimeoutMs,
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
    const target = await redirectTarget(url, options.policy, more.signal);
    if (target === null) throw error;
    return attempt(target);
  }
}

/** Stops a download that exceeds the size limit. Git has no option for this. */
function watchSize(
  folder: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): {
  signal: AbortSignal;
  stop(): void;
  problem(): GitError | undefined;
} {
  const control = new AbortController();
  let problem: GitError | undefined;
  const timer = setInterval(() => {
    void folderSize(folder).then((size) => {
      if (size <= maxBytes || problem) return;
      problem = new GitError('too-large', `The repository is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB.`);
      control.abort();
    });
  }, WATCH_INTERVAL_MS);
  return {
    signal: signal ? AbortSignal.any([signal, control.signal]) : control.signal,
    stop: () => clearInterval(timer),
    problem: () => problem,
  };
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
