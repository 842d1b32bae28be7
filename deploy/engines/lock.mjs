// A lock file that names its holder, so that one left behind by a killed process does not lock anybody out.
import { linkSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sleep } from './process.mjs';

/** When a process started, as far as the system tells: process ids are used again. Undefined for one that has ended. */
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

/** Whether the process that had this id and start (as startOf told it) still runs. */
export const isSameProcess = (pid, started) => isAlive(pid) && startOf(pid) === started;

/** What the file says of its holder ({pid, started, ...details}), or undefined where nobody alive holds it. */
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
 * Takes the lock, or gives undefined where somebody alive holds it. Gives the function that releases it.
 * details: what others may want to know of the holder (addresses, what it does).
 */
export function tryLock(path, details = {}) {
  mkdirSync(dirname(path), { recursive: true });
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, started: startOf(process.pid), ...details }), { mode: 0o600 });
  try {
    for (;;) {
      try {
        // A link appears whole or not at all: nobody can read a lock file half-written.
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

/** Does `work` while holding the lock, waiting for it as long as it takes; `onWait` is called once when there is a wait. */
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
