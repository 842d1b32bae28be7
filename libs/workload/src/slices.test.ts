import { fromBatches, readBatches, toBatches, toBatchesInSlices } from './batches';
import { eachInSlices, flatMapInSlices, mapInSlices } from './slices';

/** Work of a fixed duration. */
function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('work in slices', () => {
  it('work in slices lets the event loop run between the slices of several tasks', async () => {
    let turns = 0;
    let longest = 0;
    let busy = 0;
    const tick = () => {
      turns++;
      longest = Math.max(longest, busy);
      busy = 0;
      if (turns > 0) timer = setImmediate(tick);
    };
    let timer = setImmediate(tick);
    const tasks = [1, 2, 3, 4].map(() => eachInSlices(new Array(20).fill(0), () => (busyFor(2), busy++)));
    await Promise.all(tasks);
    clearImmediate(timer);
    // 160 ms of work; only the starts of the tasks share an iteration of the loop.
    expect(turns).toBeGreaterThan(10);
    expect(longest).toBeLessThanOrEqual(16);
  });

  it('work in slices keeps order and results', async () => {
    expect(await mapInSlices([1, 2, 3], (n, i) => n * i)).toEqual([0, 2, 6]);
    expect(await flatMapInSlices([1, 2], (n) => [n, n])).toEqual([1, 1, 2, 2]);
  });

  it('work in slices moves items in batches that hold no other memory', async () => {
    const items = Array.from({ length: 1_000 }, (_, i) => ({ name: `string ${i}`, texts: ['á', '\u{1F600}'] }));
    const batches = toBatches(items);
    for (const batch of batches) expect(batch.buffer.byteLength).toBe(batch.byteLength);
    expect(fromBatches(batches)).toEqual(items);
    const read: unknown[] = [];
    for await (const some of readBatches(await toBatchesInSlices(items))) read.push(...some);
    expect(read).toEqual(items);
  });
});
