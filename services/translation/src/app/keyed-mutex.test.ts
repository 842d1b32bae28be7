import { KeyedMutex } from './keyed-mutex';

/** A task that the test settles. */
function task() {
  let resolve!: (result: string) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<string>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  const begin = jest.fn(() => promise);
  return { begin, resolve, reject };
}

it('Tasks of the same key run one after another, also after a failed task; other keys do not wait', async () => {
  const mutex = new KeyedMutex<number>();
  const [first, second, third, other] = [task(), task(), task(), task()];
  const results = [first, second, third].map(({ begin }) => mutex.take(1, begin));
  const otherKey = mutex.take(2, other.begin);
  expect([first, second, third, other].map(({ begin }) => begin.mock.calls.length)).toEqual([1, 0, 0, 1]);
  other.resolve('other');
  expect(await otherKey).toBe('other');
  first.reject(new Error('failed'));
  await expect(results[0]).rejects.toThrow('failed');
  expect(second.begin).toHaveBeenCalled();
  expect(third.begin).not.toHaveBeenCalled();
  second.resolve('second');
  third.resolve('third');
  expect(await Promise.all(results.slice(1))).toEqual(['second', 'third']);
});
