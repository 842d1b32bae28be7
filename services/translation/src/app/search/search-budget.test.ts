import { SearchBudget } from './search-budget';

/** Named searches that run until the test ends them. */
function searches(limits = { total: 2, perCaller: 1, lingerMs: 0 }) {
  const budget = new SearchBudget(limits);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (caller: string, name: string, signal = new AbortController().signal) =>
    budget.run(caller, signal, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { budget, started, run, end };
}

it('A caller at its limit waits for its own searches without blocking other callers', async () => {
  const { started, run, end } = searches();
  const all = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1'), run('c', 'c1')];
  expect(started).toEqual(['a1', 'b1']);
  await end('b1');
  expect(started).toEqual(['a1', 'b1', 'c1']);
  await end('a1');
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2']);
  await end('c1');
  await end('a2');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c1']);
});

it('A search is rejected as THROTTLED when the queue of its caller is full, and as UNAVAILABLE when the whole queue is full', async () => {
  const { run, end } = searches({ total: 1, perCaller: 1, lingerMs: 10 });
  const disconnecting = new AbortController();
  const all: Promise<unknown>[] = [run('a', 'a0')];
  for (let i = 1; i < 5; i++) all.push(run('a', `a${i}`, disconnecting.signal));
  await expect(run('a', 'late')).rejects.toMatchObject({ reason: 'THROTTLED' });
  for (let i = 0; i < 12; i++) all.push(run(`other${i}`, `other${i}`, disconnecting.signal));
  const ended = Promise.allSettled(all);
  await expect(run('last', 'last')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  // Searches left in the queue would reject during another test.
  disconnecting.abort();
  await end('a0');
  await ended;
});

it('A search whose caller disconnects releases its slot after the linger time, or leaves the queue at once', async () => {
  const { budget, started, run, end } = searches({ total: 1, perCaller: 1, lingerMs: 10 });
  const [waiting, cancelled] = [new AbortController(), new AbortController()];
  const reading = budget.run(
    'a',
    cancelled.signal,
    () =>
      new Promise((_, reject) => {
        cancelled.signal.addEventListener('abort', () => reject(new Error('query ended')));
      }),
  );
  const second = run('b', 'b1', waiting.signal);
  const third = run('c', 'c1');
  waiting.abort();
  await expect(second).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  cancelled.abort();
  await expect(reading).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  expect(started).toEqual([]);
  while (started.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual(['c1']);
  await end('c1');
  expect(await third).toBe('c1');
});
