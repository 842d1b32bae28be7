import { spawn } from 'node:child_process';
import { gitEnvironment } from './environment';
import { failureFrom, GitError, redact } from '../errors';
import { startGitSpan, type GitCommand } from './run';

/** Error messages keep the end of git's output, which states the cause. */
const MESSAGE_CHARACTERS = 2000;

type StreamedCommand = Omit<GitCommand, 'maxOutputBytes' | 'allowedExitCodes'>;

/** A git process in a process group of its own, so that its child processes end with it. */
function startProcess(command: StreamedCommand) {
  const child = spawn('git', [...command.args], {
    cwd: command.home,
    env: gitEnvironment(command.home, command),
    stdio: 'pipe',
    detached: true,
  });
  const status = new Promise<number | Error>((resolve) => {
    child.once('error', resolve);
    child.once('close', (code) => resolve(code ?? -1));
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MESSAGE_CHARACTERS);
  });
  // A command may end without reading all its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(command.input);
  return {
    stdout: child.stdout as AsyncIterable<Buffer>,
    status,
    stderr: () => stderr,
    kill: () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    },
  };
}

/** @throws GitError unless git ended with status 0 */
function requireSuccess(status: number | Error, stderr: string, { args, secrets }: StreamedCommand): void {
  if (status instanceof Error) throw new GitError('failed', redact(String(status), secrets), { cause: status });
  if (status !== 0)
    throw failureFrom(stderr, redact(stderr.trim(), secrets) || `git ${args[0]} ended with status ${status}`);
}

/**
 * Runs git and streams its output with backpressure. `runGit` cannot do that: simple-git buffers the output until the command ends.
 * When the reader stops, the signal fires or the timeout expires, git and its child processes are killed.
 * @throws GitError after the output, when git failed
 */
export async function* streamGit(command: StreamedCommand): AsyncGenerator<Buffer> {
  const cancelled = () => new GitError('aborted', 'The operation was cancelled.');
  if (command.signal?.aborted) throw cancelled();
  const child = startProcess(command);
  let reason: GitError | undefined;
  const stop = (error: GitError) => {
    reason ??= error;
    child.kill();
  };
  const onAbort = () => stop(cancelled());
  command.signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => stop(new GitError('timeout', `The operation took longer than ${Math.round(command.timeoutMs / 1000)} s.`)),
    command.timeoutMs,
  );
  const endSpan = startGitSpan(command);
  let failure: unknown;
  try {
    for await (const chunk of child.stdout) yield chunk;
    const status = await child.status;
    if (reason) throw reason;
    requireSuccess(status, child.stderr(), command);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    clearTimeout(timer);
    command.signal?.removeEventListener('abort', onAbort);
    child.kill();
    await child.status;
    endSpan(failure);
  }
}
