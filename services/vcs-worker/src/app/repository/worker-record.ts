import { mkdir, readFile, readlink, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** The process that uses a folder of clones. */
interface WorkerRecord {
  worker: string;
  hostname: string;
  pid: number;
  /** Distinguishes processes with the same id; empty if the system does not report it. */
  started: string;
  /** Namespace of the process id, and boot id of the system; empty if the system does not report them. */
  pidNamespace: string;
}

const FILE = 'worker.json';
/** Index of the start time in /proc/PID/stat, after the command's closing parenthesis. */
const START_FIELD = 19;

async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD] ?? '';
}

async function describeSelf(worker: string): Promise<WorkerRecord> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return {
    worker,
    hostname: hostname(),
    pid: process.pid,
    started: await startOf(process.pid),
    pidNamespace: `${namespace} ${boot.trim()}`.trim(),
  };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Whether the process of a record has certainly ended. */
async function hasEnded(record: WorkerRecord, self: WorkerRecord): Promise<boolean> {
  // Another host may share the folder: its lease decides.
  if (record.hostname !== self.hostname) return false;
  // The host, a container with its own name, has restarted since.
  if (record.pidNamespace !== self.pidNamespace) return true;
  // Another worker in this process counts as live.
  return !exists(record.pid) || (record.started !== '' && (await startOf(record.pid)) !== record.started);
}

/**
 * Records that this worker uses the folder.
 * @param release releases the leases of the folder's last user; called if its process has certainly ended
 */
export async function takeOverFromPredecessor(
  folder: string,
  worker: string,
  release: (predecessor: string) => Promise<void>,
): Promise<void> {
  const self = await describeSelf(worker);
  const path = join(folder, FILE);
  const text = await readFile(path, 'utf8').catch(() => '');
  const before = parse(text);
  if (before && (await hasEnded(before, self))) await release(before.worker);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, JSON.stringify(self), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** A truncated file counts as missing. */
function parse(text: string): WorkerRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<WorkerRecord> | null;
    return typeof record?.worker === 'string' && typeof record.pid === 'number' ? (record as WorkerRecord) : undefined;
  } catch {
    return undefined;
  }
}
