// Keeps processes running, and stops them.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { attempt, say, sleep } from '../engines/process.mjs';
import { nodeFlags } from './node-flags.mjs';

const LOG_BYTES = 20 * 1024 * 1024;
/** Run time after which a process counts as recovered. */
const STABLE_MS = 5000;
const LONGEST_PAUSE_MS = 4000;

/**
 * Delay before the restart of a process, and the number of consecutive failures.
 * @param {number} failures consecutive failures before this one
 * @param {number} ranMs run time of the process in ms
 */
export function restartAfter(failures, ranMs) {
  const inARow = ranMs > STABLE_MS ? 0 : failures;
  return { pause: Math.min(LONGEST_PAUSE_MS, 250 * 2 ** inARow), failures: inARow + 1 };
}

function openLog(path) {
  try {
    if (statSync(path).size > LOG_BYTES) renameSync(path, `${path}.1`);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return openSync(path, 'a', 0o600);
}

/** The status of GET http://address/path; 0 without a response within 3 s. */
function httpStatus(address, path) {
  return new Promise((resolve) => {
    const request = get(`http://${address}${path}`, { timeout: 3000, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(0));
  });
}

export class Supervisor {
  #logs;
  #onChange;
  #members = new Map();
  #stopping = false;

  /** logs: directory of the processes' output; onChange: called with {name: pid} after every change. */
  constructor(logs, onChange) {
    this.#logs = logs;
    this.#onChange = onChange;
    mkdirSync(logs, { recursive: true });
  }

  /**
   * Starts a process: node `entry`, or a command, in `cwd` with `env`. Restarts it whenever it ends.
   * @param {string | string[]} entry
   */
  start(name, entry, cwd, env) {
    this.#members.set(name, { entry, cwd, env, failures: 0, log: join(this.#logs, `${name}.log`) });
    this.#spawn(name);
  }

  #spawn(name) {
    const member = this.#members.get(name);
    const log = openLog(member.log);
    const began = Date.now();
    // Own process group: only the supervisor receives Ctrl-C, and stops the processes in order.
    const [program, ...args] = Array.isArray(member.entry)
      ? member.entry
      : [process.execPath, ...nodeFlags, member.entry];
    const child = spawn(program, args, {
      cwd: member.cwd,
      env: member.env,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    member.child = child;
    member.ended = /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        child.once('error', (error) => say(`${name} cannot be started: ${error.message}`));
        child.once('close', (code, signal) => {
          member.child = undefined;
          resolve();
          if (this.#stopping) return;
          const { pause, failures } = restartAfter(member.failures, Date.now() - began);
          member.failures = failures;
          say(
            `${name} ended (${signal ?? `status ${code}`}); it is started again in ${pause / 1000} s. Its log: ${member.log}`,
          );
          member.timer = setTimeout(() => this.#spawn(name), pause);
        });
      })
    );
    this.#report();
  }

  #report() {
    const running = [...this.#members].filter(([, member]) => member.child?.pid);
    this.#onChange(Object.fromEntries(running.map(([name, member]) => [name, member.child.pid])));
  }

  /**
   * Waits until every process responds with 200 on /readyz; operations: their addresses by name.
   * Throws an Error with the end of the log if one keeps ending, or is not ready within `ms`.
   */
  async ready(operations, ms) {
    const end = Date.now() + ms;
    for (const [name, address] of Object.entries(operations)) {
      while ((await httpStatus(address, '/readyz')) !== 200) {
        if (this.#stopping) return;
        const failed = [...this.#members].find(([, member]) => member.failures >= 4)?.[0];
        if (failed || Date.now() > end)
          throw new Error(
            await this.#complaint(failed ?? name, failed ? 'keeps ending' : `is not ready after ${ms / 1000} s`),
          );
        await sleep(50);
      }
    }
  }

  async #complaint(name, what) {
    const { log } = this.#members.get(name);
    return `${name} ${what}. The end of ${log}:\n${(await attempt('tail', ['-n', '15', log])) ?? ''}`;
  }

  /** Ends the named processes: SIGTERM, and SIGKILL after `ms`. Returns the names of killed processes. */
  async #end(names, ms) {
    const killed = [];
    await Promise.all(
      names.map(async (name) => {
        const member = this.#members.get(name);
        clearTimeout(member.timer);
        if (!member.child) return;
        member.child.kill('SIGTERM');
        const timer = setTimeout(() => {
          killed.push(name);
          member.child?.kill('SIGKILL');
        }, ms);
        await member.ended;
        clearTimeout(timer);
      }),
    );
    return killed;
  }

  /**
   * Stops all processes. Returns the names of killed processes.
   * @param {string[][]} first groups of processes that end one after the other before the others
   * @param {number} ms time limit per process, in milliseconds
   */
  async stop(first, ms) {
    this.#stopping = true;
    const named = new Set(first.flat());
    const others = [...this.#members.keys()].filter((name) => !named.has(name));
    const killed = [];
    for (const group of [...first, others]) killed.push(...(await this.#end(group, ms)));
    return killed;
  }

  /** Kills all processes. */
  kill() {
    this.#stopping = true;
    for (const member of this.#members.values()) member.child?.kill('SIGKILL');
  }
}
