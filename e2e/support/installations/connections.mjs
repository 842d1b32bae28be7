// Open TCP connections of processes on this machine, as Linux lists them.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const ESTABLISHED = '01';

/** Inode numbers of the sockets of a process; none if it has ended. */
function socketsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // Closed since the directory was read.
        return [];
      }
    });
  } catch {
    return [];
  }
}

/**
 * The processes that are connected to each port.
 * @param {number[]} pids processes that may be connected
 * @returns {Map<number, number[]>} ids of connected processes by remote port, ascending
 */
export function callersOf(pids) {
  const ports = new Map();
  for (const line of readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)) {
    const [, , remote = '', state, , , , , , inode] = line.trim().split(/\s+/);
    if (state === ESTABLISHED) ports.set(inode, parseInt(remote.split(':')[1] ?? '', 16));
  }
  /** @type {Map<number, number[]>} */
  const callers = new Map();
  for (const pid of [...pids].sort((a, b) => a - b))
    for (const port of new Set(socketsOf(pid).map((inode) => ports.get(inode))))
      if (port !== undefined) callers.set(port, [...(callers.get(port) ?? []), pid]);
  return callers;
}
