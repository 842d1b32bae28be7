import { KeyedMutex } from './keyed-mutex';

/** Work that ends when it is told to. */
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

it('lets one after the other at the same thing, also behind one that failed, and others at once', async () => {
  const turns = new KeyedMutex<number>();
  const [first, second, third, other] = [task(), task(), task(), task()];
  const results = [first, second, third].map(({ begin }) => turns.take(1, begin));
  const aside = turns.take(2, other.begin);
  expect([first, second, third, other].map(({ begin }) => begin.mock.calls.length)).toEqual([1, 0, 0, 1]);
  other.resolve('other');
  expect(await aside).toBe('other');
  first.reject(new Error('failed'));
  await expect(results[0]).rejects.toThrow('failed');
  expect(second.begin).toHaveBeenCalled();
  expect(third.begin).not.toHaveBeenCalled();
  second.resolve('second');
  third.resolve('third');
  expect(await Promise.all(results.slice(1))).toEqual(['second', 'third']);
});
