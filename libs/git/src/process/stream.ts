import { spawn } from 'node:child_process';
import { gitEnvironment } from './environment';
import { classify, GitError, redact } from '../errors';
import { startGitSpan, type GitCommand } from './run';

/** Error messages keep the end of git's output, which states the cause. */
const MESSAGE_CHARACTERS = 2000;

/**
 * Runs git and streams its output with backpressure. `runGit` cannot do that: simple-git buffers the output until the command ends.
 * When the reader stops, the signal fires or the timeout expires, git and its child processes are killed.
 * @throws GitError after the output, when git failed
 */
export async function* streamGit(
  command: Omit<GitCommand, 'maxOutputBytes' | 'allowedExitCodes'>,
): AsyncGenerator<Buffer> {
  const cancelled = () => new GitError('aborted', 'The operation was cancelled.');
  if (command.signal?.aborted) throw cancelled();
  const child = spawn('git', [...command.args], {
    cwd: command.home,
    env: gitEnvironment(command.home, command),
    stdio: 'pipe',
    // A separate process group, so that git's child processes are killed too.
    detached: true,
  });
  const ended = new Promise<number | Error>((resolve) => {
    child.once('error', resolve);
    child.once('close', (code) => resolve(code ?? -1));
  });
  let reason: GitError | undefined;
  const stop = (error?: GitError) => {
    reason ??= error;
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  };
  const onAbort = () => stop(cancelled());
  command.signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => stop(new GitError('timeout', `The operation took longer than ${Math.round(command.timeoutMs / 1000)} s.`)),
    command.timeoutMs,
  );
  const endSpan = startGitSpan(command);
  let failure: unknown;
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MESSAGE_CHARACTERS);
  });
  // A command may end without reading all its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(command.input);
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) yield chunk;
    const result = await ended;
    if (reason) throw reason;
    if (result instanceof Error)
      throw new GitError('failed', redact(String(result), command.secrets), { cause: result });
    if (result !== 0) {
      const text = redact(stderr.trim(), command.secrets);
      throw new GitError(classify(stderr), text || `git ${command.args[0]} ended with status ${result}`);
    }
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    clearTimeout(timer);
    command.signal?.removeEventListener('abort', onAbort);
    stop();
    await ended;
    endSpan(failure);
  }
}
