import { BULK_QUERY_MS, inBulk, limitQueries, withQueryLimits } from './query-limits';

/** A connection whose collections return the options of each call. */
const connection = () =>
  limitQueries(
    {
      made: new Map<string, Record<string, (...args: unknown[]) => unknown>>(),
      collection(name: string) {
        const read =
          (place: number) =>
          (...args: unknown[]) =>
            args[place];
        const collection = this.made.get(name) ?? { find: read(1), distinct: read(2), countDocuments: read(1) };
        this.made.set(name, collection);
        return collection;
      },
    },
    700,
  );

it('Every reading query gets the time limit of its connection, or keeps its own', () => {
  const { find, distinct } = connection().collection('units');
  expect(find!({})).toEqual({ maxTimeMS: 700 });
  expect(distinct!('a')).toEqual({ maxTimeMS: 700 });
  expect(find!({}, { maxTimeMS: 9, sort: 1 })).toEqual({ maxTimeMS: 9, sort: 1 });
});

it('A collection is limited once, even if it is requested several times', () => {
  const some = connection();
  const first = some.collection('units')['find'];
  expect(some.collection('units')['find']).toBe(first);
});

it('Work sets the limits of its queries, and bulk work does not end with its caller', async () => {
  const { find, distinct } = connection().collection('units');
  const control = new AbortController();
  const { signal } = control;
  await withQueryLimits({ signal }, async () => {
    await Promise.resolve();
    expect(find!({})).toEqual({ maxTimeMS: 700, signal });
    expect(distinct!('a', {})).toEqual({ maxTimeMS: 700 });
    expect(inBulk(() => find!({}))).toEqual({ maxTimeMS: BULK_QUERY_MS });
    expect(withQueryLimits({ maxTimeMs: 5 }, () => find!({}))).toEqual({ maxTimeMS: 5, signal });
  });
  control.abort(new Error('client left'));
  expect(() => withQueryLimits({ signal }, () => find!({}))).toThrow('client left');
});
