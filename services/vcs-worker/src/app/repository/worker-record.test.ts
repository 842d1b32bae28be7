import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeOverFromPredecessor } from './worker-record';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-predecessor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The workers whose leases a new worker releases. */
async function releasedBy(worker: string): Promise<string[]> {
  const released: string[] = [];
  await takeOverFromPredecessor(folder, worker, async (predecessor) => void released.push(predecessor));
  return released;
}

const record = () => JSON.parse(readFileSync(join(folder, 'worker.json'), 'utf8')) as Record<string, unknown>;
const change = (fields: object) =>
  writeFileSync(join(folder, 'worker.json'), JSON.stringify({ ...record(), ...fields }));

describe('succeed', () => {
  it('a worker releases the leases of a predecessor whose process has ended', async () => {
    expect(await releasedBy('first')).toEqual([]);
    change({ pid: spawnSync('true').pid });
    expect(await releasedBy('second')).toEqual(['first']);
    expect(record()['worker']).toBe('second');
  });

  it('a worker releases the leases of a predecessor whose process id was reused', async () => {
    await releasedBy('first');
    change({ started: '1' });
    expect(await releasedBy('second')).toEqual(['first']);
  });

  it('a worker releases the leases of a predecessor in an earlier run of the same host', async () => {
    await releasedBy('first');
    change({ pidNamespace: 'pid:[1] earlier' });
    expect(await releasedBy('second')).toEqual(['first']);
  });

  it('leases of a live worker and of a worker on another host are kept', async () => {
    await releasedBy('first');
    expect(await releasedBy('second')).toEqual([]);
    change({ hostname: 'elsewhere', pid: spawnSync('true').pid });
    expect(await releasedBy('third')).toEqual([]);
  });

  it('the predecessor stays on record until its leases are released', async () => {
    await releasedBy('first');
    change({ started: '1' });
    await expect(takeOverFromPredecessor(folder, 'second', () => Promise.reject(new Error('store')))).rejects.toThrow(
      'store',
    );
    expect(await releasedBy('third')).toEqual(['first']);
  });

  it('an unreadable worker record counts as missing', async () => {
    writeFileSync(join(folder, 'worker.json'), '{"worker":');
    expect(await releasedBy('first')).toEqual([]);
  });
});
