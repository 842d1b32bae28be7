// The store of the bare server: one indexed statement per request, without history, counters and outbox.
import mongoose from 'mongoose';

/**
 * Results are JSON, as text or bytes, so that a front sends them unread wherever they come from.
 * @typedef {object} BareStore
 * @property {(units: object[]) => Promise<string | Buffer>} insert
 * @property {(first: number, size: number) => Promise<string | Buffer>} page units at the positions after `first`
 * @property {(id: number) => Promise<string | Buffer>} find
 * @property {(id: number, change: { target: string[], state: number }) => Promise<string | Buffer>} edit
 */

/**
 * Opens a database of the benchmark.
 * @param {string} uri
 * @returns {Promise<BareStore & { remove(): Promise<void> }>} `remove` drops the database and disconnects
 */
export async function openStore(uri) {
  const connection = await mongoose.createConnection(uri).asPromise();
  /** @type {import('mongodb').Collection<{ _id: number, position: number, target: string[], state: number }>} */
  const units = connection.getClient().db(connection.name).collection('bare_units');
  await units.createIndex({ position: 1 });
  return {
    async insert(documents) {
      await units.insertMany(/** @type {any[]} */ (documents));
      return '{}';
    },
    async page(first, size) {
      const results = await units
        .find({ position: { $gt: first, $lte: first + size } })
        .sort({ position: 1 })
        .toArray();
      return JSON.stringify({ results });
    },
    async find(id) {
      return JSON.stringify(await units.findOne({ _id: id }));
    },
    async edit(id, { target, state }) {
      const change = { $set: { target, state } };
      return JSON.stringify(await units.findOneAndUpdate({ _id: id }, change, { returnDocument: 'after' }));
    },
    async remove() {
      await connection.dropDatabase();
      await connection.close();
    },
  };
}
