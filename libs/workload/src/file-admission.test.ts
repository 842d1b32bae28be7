import { FileAdmission } from './file-admission';

const MIB = 1024 * 1024;

async function* chunksOf(mib: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < mib * 4; i++) yield Buffer.alloc(MIB / 4);
}

/** A task that ends on request. */
function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('FileAdmission', () => {
  const options = { totalBytes: 128 * MIB, callerShare: 1, maxWaiting: 16, maxWaitMs: 60_000 };
  const receive = (files: FileAdmission, mib: number, caller: string, until: Promise<void>, seen: number[] = []) =>
    files.receive(
      chunksOf(mib),
      (chunk) => chunk,
      { caller, maxBytes: 64 * MIB },
      async ({ bytes }) => {
        seen.push(files.reserved);
        await until;
        return bytes.length;
      },
    );

  it('FileAdmission stays within its budget while ten large files arrive at once, and processes all of them', async () => {
    const files = new FileAdmission(options);
    const { open, opened } = gate();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, files.reserved)), 1);
    const seen: number[] = [];
    const all = Array.from({ length: 10 }, (_, i) => receive(files, 30, `user-${i}`, opened, seen));
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(seen.length).toBeLessThan(4);
    open();
    expect(await Promise.all(all)).toEqual(new Array(10).fill(30 * MIB));
    clearInterval(watch);
    expect(most).toBeLessThanOrEqual(options.totalBytes);
    expect(files.reserved).toBe(0);
  });

  it('FileAdmission lets small files pass while large ones wait', async () => {
    const files = new FileAdmission(options);
    const { open, opened } = gate();
    const large = ['a', 'b', 'c'].map((caller) => receive(files, 60, caller, opened));
    await expect(receive(files, 0.5, 'd', Promise.resolve())).resolves.toBe(MIB / 2);
    open();
    await Promise.all(large);
    expect(files.reserved).toBe(0);
  });

  it('FileAdmission rejects files beyond its queue and releases the memory of a rejected file', async () => {
    const files = new FileAdmission({ ...options, maxWaiting: 2 });
    const { open, opened } = gate();
    const results = Array.from({ length: 12 }, (_, i) =>
      receive(files, 30, `user-${i}`, opened).catch((error: { reason: string }) => error.reason),
    );
    const refused = await Promise.race(results);
    expect(refused).toBe('OVERLOADED');
    open();
    const all = await Promise.all(results);
    expect(all).toContain(30 * MIB);
    expect(files.reserved).toBe(0);
    await expect(receive(files, 65, 'x', Promise.resolve())).rejects.toMatchObject({ reason: 'TOO_LARGE' });
    expect(files.reserved).toBe(0);
  });
});
