import type { Migration } from '@parlance/store-kit';
import type { Connection } from 'mongoose';

/** A document before and after: `label` replaces `name`; `conversions` counts. */
export interface Thing {
  _id: number;
  name?: string;
  label?: string;
  conversions?: number;
}

/** @param stall called in the middle of the second batch */
export function renameThings(runner: number, stall?: () => Promise<void>): Migration {
  let batches = 0;
  return {
    name: 'rename-things',
    async batch(connection: Connection, limit: number) {
      const things = connection.db!.collection<Thing>('things');
      const old = await things
        .find({ name: { $exists: true } })
        .limit(Math.min(limit, 50))
        .toArray();
      batches++;
      for (const [index, { _id, name }] of old.entries()) {
        if (stall && batches === 2 && index === 25) await stall();
        await things.updateOne(
          { _id, name: { $exists: true } },
          { $set: { label: name! }, $unset: { name: '' }, $inc: { conversions: 1 } },
        );
      }
      if (old.length > 0) await connection.db!.collection('batches').insertOne({ runner, documents: old.length });
      return old.length;
    },
  };
}
