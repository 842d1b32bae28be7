import { insertUnique } from './insert';

/** A fake collection with prepared responses that records the inserted documents. */
function collection(...failures: ({ message: string; writeErrors: object[] } | null)[]) {
  const given: number[][] = [];
  const there = new Set<number>();
  return {
    given,
    async insertMany(documents: readonly { _id: number }[]) {
      given.push(documents.map(({ _id }) => _id));
      const failure = failures[given.length - 1] ?? null;
      const failed = new Set(failure?.writeErrors.map((part) => (part as { index: number }).index));
      documents.forEach(({ _id }, at) => failed.has(at) || there.add(_id));
      if (failure) throw Object.assign(new Error(failure.message), failure);
    },
    find: ({ _id }: { _id?: { $in: number[] } }) => ({
      toArray: async () => _id!.$in.filter((id) => there.has(id)).map((id) => ({ _id: id })),
    }),
  };
}
const documents = [1, 2, 3, 4].map((_id) => ({ _id }));
const taken = (index: number) => ({ code: 11000, index });
const undone = (index: number) => ({ code: 1, index, errmsg: 'deadlock detected' });

it('insertUnique returns the ids of documents that violate a unique index', async () => {
  const some = collection({ message: 'taken', writeErrors: [taken(0), taken(2)] });
  expect(await insertUnique(some, documents)).toEqual([1, 3]);
  expect(some.given).toEqual([[1, 2, 3, 4]]);
});

it('insertUnique retries only documents that the engine rolled back', async () => {
  const some = collection(
    { message: 'taken', writeErrors: [taken(0), undone(1), undone(3)] },
    { message: 'deadlock detected', writeErrors: [undone(0), taken(1)] },
  );
  expect(await insertUnique(some, documents)).toEqual([1, 4]);
  expect(some.given).toEqual([[1, 2, 3, 4], [2, 4], [2]]);
});

it('insertUnique throws errors other than unique index violations', async () => {
  const some = collection({ message: 'invalid', writeErrors: [taken(0), { code: 121, index: 1 }] });
  await expect(insertUnique(some, documents)).rejects.toThrow('invalid');
});
