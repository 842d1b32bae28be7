import { GitPluginError, simpleGit } from 'simple-git';
import { gitEnvironment, type EnvironmentAddition } from './environment';
import { classify, GitError, redact } from '../errors';

/** A git command. Its arguments are fixed words, checked hashes, and paths after `--`; unchecked values never precede `--`. */
export interface GitCommand extends EnvironmentAddition {
  args: readonly string[];
  /** Working folder and HOME, without settings. */
  home: string;
  /** Standard input. */
  input?: Buffer;
  signal?: AbortSignal | undefined;
  /** Timeout in milliseconds. */
  timeoutMs: number;
  /** Size limit of standard output, in bytes. */
  maxOutputBytes?: number;
  /** Exit statuses other than 0 that are not failures. */
  allowedExitCodes?: readonly number[];
  /** Strings that are removed from error messages. */
  secrets?: readonly string[];
}

export interface GitOutput {
  code: number;
  stdout: Buffer;
  stderr: string;
}

const DEFAULT_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Error messages keep the end of git's output, which states the cause. */
const MESSAGE_CHARACTERS = 2000;

/**
 * Runs git. The disabled guards of simple-git protect against settings from users; all settings come from `gitEnvironment`.
 * @throws GitError
 */
export async function runGit(command: GitCommand): Promise<GitOutput> {
  const stop = new AbortController();
  let reason: GitError | undefined;
  const stopFor = (error: GitError) => {
    reason ??= error;
    stop.abort();
  };
  const onAbort = () => stopFor(new GitError('aborted', 'The operation was cancelled.'));
  if (command.signal?.aborted) throw new GitError('aborted', 'The operation was cancelled.');
  command.signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => stopFor(new GitError('timeout', `The operation took longer than ${Math.round(command.timeoutMs / 1000)} s.`)),
    command.timeoutMs,
  );
  const environment = gitEnvironment(command.home, command);
  const output: Buffer[] = [];
  let size = 0;
  let code = 0;
  let stderr = '';
  const limit = command.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES;
  const git = simpleGit({
    baseDir: command.home,
    binary: 'git',
    maxConcurrentProcesses: 1,
    abort: stop.signal,
    allowEnvironment: Object.keys(environment),
    completion: { onClose: true, onExit: false },
    unsafe: {
      allowUnsafeConfigEnvCount: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeHooksPath: true,
      allowUnsafeFsMonitor: true,
      allowUnsafeProtocolOverride: true,
      allowUnsafeCredentialHelper: true,
      allowUnsafeFilter: true,
      allowUnsafeSshCommand: true,
      allowUnsafeCommandBinaries: true,
      allowUnsafeGpgProgram: true,
      allowUnsafeTemplateDir: true,
    },
    ...(command.input ? { input: () => command.input } : {}),
    errors(error, result) {
      code = result.exitCode;
      stderr = Buffer.concat(result.stdErr).toString('utf8');
      // Exit statuses are evaluated below. Only a killed process or a failed start is an error here.
      if (error instanceof GitPluginError || (error instanceof Error && 'code' in error)) return error;
      return undefined;
    },
  })
    .env(environment)
    .outputHandler((_binary, stdout) => {
      stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limit) stopFor(new GitError('too-large', `The answer is larger than ${limit} bytes.`));
        else output.push(chunk);
      });
    });
  try {
    await git.raw([...command.args]);
  } catch (error) {
    if (reason) throw reason;
    throw new GitError('failed', redact(String(error), command.secrets), { cause: error });
  } finally {
    clearTimeout(timer);
    command.signal?.removeEventListener('abort', onAbort);
  }
  if (reason) throw reason;
  if (code !== 0 && !command.allowedExitCodes?.includes(code)) {
    // Only push reports its reasons on standard output.
    const messages = command.args[0] === 'push' ? `${Buffer.concat(output).toString('utf8')}\n${stderr}` : stderr;
    const text = redact(messages.trim(), command.secrets).slice(-MESSAGE_CHARACTERS);
    throw new GitError(classify(messages), text || `git ${command.args[0]} ended with status ${code}`);
  }
  return { code, stdout: Buffer.concat(output), stderr };
}
