import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holderOf, isSameProcess, startOf, tryLock, withLock } from './lock.mjs';

let folder;
let path;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the lock of a data directory', () => {
  it('the lock of a data directory has one holder, and records its process and data', () => {
    const release = tryLock(path, { url: 'http://x/' });
    expect(holderOf(path)).toMatchObject({ pid: process.pid, url: 'http://x/' });
    expect(tryLock(path)).toBeUndefined();
    release?.();
    expect(existsSync(path)).toBe(false);
    expect(tryLock(path)).toBeInstanceOf(Function);
  });

  it('the lock of a data directory is taken over from a process that ended, even if its id was reused', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('close', resolve));
    writeFileSync(path, JSON.stringify({ pid: child.pid, started: '1' }));
    expect(holderOf(path)).toBeUndefined();
    tryLock(path)?.();
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: 'another time' }));
    expect(isSameProcess(process.pid, startOf(process.pid))).toBe(true);
    expect(tryLock(path)).toBeInstanceOf(Function);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid, started: startOf(process.pid) });
  });

  it('the lock of a data directory makes a second holder wait until it is released', async () => {
    const release = tryLock(path);
    const order = [];
    const waited = withLock(
      path,
      () => order.push('waits'),
      () => order.push('works'),
    );
    order.push('releases');
    release?.();
    await waited;
    expect(order).toEqual(['waits', 'releases', 'works']);
    expect(existsSync(path)).toBe(false);
  });
});
