import { retryWrites } from './retried-writes';

/** A connection whose statements fail a number of times, with the statements that it received. */
function connection(failures: number, error: object) {
  const sent: unknown[][] = [];
  const statement =
    (name: string) =>
    async (...args: unknown[]) => {
      sent.push([name, ...args]);
      if (sent.length <= failures) throw error;
      return sent.length;
    };
  const units = { updateOne: statement('updateOne'), bulkWrite: statement('bulkWrite') };
  return { sent, ...retryWrites({ collection: (_name: string) => units }) };
}

const deadlock = { code: 1, message: 'deadlock detected' };

it('A single write that the engine rolled back is sent again with the same arguments', async () => {
  const { sent, collection } = connection(2, deadlock);
  expect(await collection('units').updateOne({ _id: 1 }, { $set: { a: 1 } })).toBe(3);
  expect(sent).toEqual(Array(3).fill(['updateOne', { _id: 1 }, { $set: { a: 1 } }]));
});

it('A collection that is requested twice does not retry its retries', async () => {
  const { sent, collection } = connection(100, deadlock);
  collection('units');
  await expect(collection('units').updateOne({})).rejects.toBe(deadlock);
  expect(sent).toHaveLength(8);
});

it('Other failures and bulk writes are not retried', async () => {
  const taken = connection(1, { code: 11000 });
  await expect(taken.collection('units').updateOne({})).rejects.toEqual({ code: 11000 });
  const bulk = connection(1, deadlock);
  await expect(bulk.collection('units').bulkWrite([])).rejects.toBe(deadlock);
});
