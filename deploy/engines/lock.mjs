// A lock file that names its holder, so that the file of a killed process is recognized as stale.
import { linkSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sleep } from './process.mjs';

/** Start time of a process, because process ids are reused; undefined if it has ended. */
export function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Whether the process with this id and start time (from startOf) is running. */
export const isSameProcess = (pid, started) => isAlive(pid) && startOf(pid) === started;

/** The holder ({pid, started, ...details}); undefined if no running process holds the lock. */
export function holderOf(path) {
  let holder;
  try {
    holder = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
  return isSameProcess(holder.pid, holder.started) ? holder : undefined;
}

/**
 * Acquires the lock and returns the function that releases it; undefined if a running process holds it.
 * details: information about the holder for others, such as addresses.
 */
export function tryLock(path, details = {}) {
  mkdirSync(dirname(path), { recursive: true });
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, started: startOf(process.pid), ...details }), { mode: 0o600 });
  try {
    for (;;) {
      try {
        // Creating a link is atomic: no reader sees a partially written lock file.
        linkSync(own, path);
        return () => rmSync(path, { force: true });
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      if (holderOf(path)) return undefined;
      rmSync(path, { force: true });
    }
  } finally {
    unlinkSync(own);
  }
}

/** Runs `work` while holding the lock. Waits without a limit and calls `onWait` once before waiting. */
export async function withLock(path, onWait, work) {
  let release = tryLock(path);
  if (!release) onWait(holderOf(path));
  while (!release) {
    await sleep(500);
    release = tryLock(path);
  }
  try {
    return await work();
  } finally {
    release();
  }
}
