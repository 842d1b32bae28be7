// Running commands, and telling a person at a terminal what takes so long.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class CommandError extends Error {
  constructor(command, code, output) {
    const tail = output.trim().split('\n').slice(-15).join('\n');
    super(`${command} ${code === null ? 'was ended' : `ended with status ${code}`}${tail ? `:\n${tail}` : ''}`);
    this.name = 'CommandError';
    this.code = code;
    this.output = output;
  }
}

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGTERM')));

/**
 * Runs a command and gives its standard output, trimmed.
 *
 * options: cwd; env (added to the environment); input (text for standard input); timeout (ms until it is killed);
 * firstOutput (ms by which it must have printed something, else it is killed); onLine (called with every line of both
 * outputs); signal (AbortSignal).
 * Throws CommandError when the command cannot be run or ends with another status than 0.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const shown = [command, ...args.slice(0, 3)].join(' ');
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      signal: options.signal,
      killSignal: 'SIGTERM',
    });
    running.add(child);
    child.on('close', () => running.delete(child));
    let out = '';
    let all = '';
    const timers = [];
    const killAfter = (ms) => timers.push(setTimeout(() => child.kill('SIGTERM'), ms));
    if (options.timeout) killAfter(options.timeout);
    if (options.firstOutput) killAfter(options.firstOutput);
    const firstOutputTimer = options.firstOutput ? timers.at(-1) : undefined;
    const listen = (stream, keep) => {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        clearTimeout(firstOutputTimer);
        if (keep) out += text;
        all = (all + text).slice(-65536);
      });
      if (options.onLine) createInterface({ input: stream }).on('line', options.onLine);
    };
    listen(child.stdout, true);
    listen(child.stderr, false);
    child.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      timers.forEach(clearTimeout);
      reject(new CommandError(shown, error.code === 'ENOENT' ? 127 : null, `${all}\n${error.message}`));
    });
    child.on('close', (code) => {
      timers.forEach(clearTimeout);
      if (code === 0) resolve(out.trim());
      else reject(new CommandError(shown, code, all));
    });
    if (options.input !== undefined) child.stdin?.end(options.input);
  });
}

/** Like `run`, but returns undefined if the command fails. */
export async function attempt(command, args, options) {
  try {
    return await run(command, args, options);
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

export const onPath = async (program) => (await attempt('sh', ['-c', `command -v ${program}`])) !== undefined;

export const say = (text) => process.stderr.write(`${text}\n`);

const seconds = (since) => `${Math.round((Date.now() - since) / 1000)} s`;

/**
 * Runs a long step. Prints its title, every 15 s the last line that `work` reported, and the duration. `work` receives the
 * function that reports a line.
 */
export async function step(title, work) {
  const began = Date.now();
  let last = '';
  say(`${title} ...`);
  const ticking = setInterval(
    () => say(`  ${title}: ${seconds(began)}${last ? ` - ${last.slice(0, 100)}` : ''}`),
    15000,
  );
  try {
    const result = await work((line) => {
      if (line.trim()) last = line.trim();
    });
    say(`  ${title}: done in ${seconds(began)}`);
    return result;
  } finally {
    clearInterval(ticking);
  }
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
