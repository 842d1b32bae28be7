import { GitPluginError, simpleGit } from 'simple-git';
import { gitEnvironment, type EnvironmentAddition } from './environment';
import { startClientSpan } from '@parlance/telemetry';
import { failureFrom, GitError, redact } from '../errors';

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

/** Runs commands in one repository, without network access. */
export interface CommandRunner {
  run(
    args: readonly string[],
    more?: { input?: Buffer; signal?: AbortSignal; allowedExitCodes?: readonly number[]; maxOutputBytes?: number },
  ): Promise<GitOutput>;
}

const DEFAULT_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Error messages keep the end of git's output, which states the cause. */
const MESSAGE_CHARACTERS = 2000;

/** Ends a command at its timeout, when its caller cancels it, or on request. */
class CommandStop {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  /** Why the command was stopped. */
  reason: GitError | undefined;

  constructor(private readonly command: Pick<GitCommand, 'signal' | 'timeoutMs'>) {
    command.signal?.addEventListener('abort', this.onAbort, { once: true });
    const message = `The operation took longer than ${Math.round(command.timeoutMs / 1000)} s.`;
    this.timer = setTimeout(() => this.stop(new GitError('timeout', message)), command.timeoutMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(reason: GitError): void {
    this.reason ??= reason;
    this.controller.abort();
  }

  /** Releases the timer and the listener. */
  release(): void {
    clearTimeout(this.timer);
    this.command.signal?.removeEventListener('abort', this.onAbort);
  }

  private readonly onAbort = () => this.stop(cancelled());
}

const cancelled = () => new GitError('aborted', 'The operation was cancelled.');

/** The guards protect against settings from users; here all settings come from `gitEnvironment`. */
const disabledGuards = {
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
};

/** Output of a command up to its limit. */
class Output {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly limit: number,
    private readonly stop: (reason: GitError) => void,
  ) {}

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.limit) this.stop(new GitError('too-large', `The answer is larger than ${this.limit} bytes.`));
    else this.chunks.push(chunk);
  }

  whole(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

/** Starts the span of a command. Its arguments are left out: they name addresses and files. */
export function startGitSpan({ args }: Pick<GitCommand, 'args'>): (error?: unknown) => void {
  return startClientSpan(`git ${args[0]}`, { 'process.executable.name': 'git' });
}

/**
 * Runs git.
 * @throws GitError
 */
export async function runGit(command: GitCommand): Promise<GitOutput> {
  const endSpan = startGitSpan(command);
  try {
    const output = await execute(command);
    endSpan();
    return output;
  } catch (error) {
    endSpan(error);
    throw error;
  }
}

async function execute(command: GitCommand): Promise<GitOutput> {
  if (command.signal?.aborted) throw cancelled();
  const stop = new CommandStop(command);
  const output = new Output(command.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES, (reason) => stop.stop(reason));
  const environment = gitEnvironment(command.home, command);
  let code = 0;
  let stderr = '';
  const git = simpleGit({
    baseDir: command.home,
    binary: 'git',
    maxConcurrentProcesses: 1,
    abort: stop.signal,
    allowEnvironment: Object.keys(environment),
    completion: { onClose: true, onExit: false },
    unsafe: disabledGuards,
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
      stdout.on('data', (chunk: Buffer) => output.add(chunk));
      // simple-git waits another 50 ms for the output of a command that had none when it ended; `close` means that there is none.
      stdout.once('end', () => stdout.emit('data', Buffer.alloc(0)));
    });
  try {
    await git.raw([...command.args]);
  } catch (error) {
    if (stop.reason) throw stop.reason;
    throw new GitError('failed', redact(String(error), command.secrets), { cause: error });
  } finally {
    stop.release();
  }
  if (stop.reason) throw stop.reason;
  if (code !== 0 && !command.allowedExitCodes?.includes(code)) throw failureOf(command, code, output.whole(), stderr);
  return { code, stdout: output.whole(), stderr };
}

/** Error of a command that ended with an unexpected status. */
function failureOf(command: GitCommand, code: number, stdout: Buffer, stderr: string): GitError {
  // Only push reports its reasons on standard output.
  const messages = command.args[0] === 'push' ? `${stdout.toString('utf8')}\n${stderr}` : stderr;
  const text = redact(messages.trim(), command.secrets).slice(-MESSAGE_CHARACTERS);
  return failureFrom(messages, text || `git ${command.args[0]} ended with status ${code}`);
}
