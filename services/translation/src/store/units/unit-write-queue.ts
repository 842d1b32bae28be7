import { GroupCommit, retried } from '@parlance/store-kit';
import { randomUUID } from 'node:crypto';
import type { UnitRemoval, UnitWrite } from '../../domain/ports';
import { collectionOf } from '../collection';
import type { Models } from '../models';
import { removalOf, updateOf } from './unit-document';

/** Writes in one statement. */
const BATCH = 500;
/** Concurrent single writes that share a statement. */
const MAX_GROUP = 50;

/** A write with the id that it leaves in the document if it has no outbox item; retries keep the id. */
interface MarkedWrite {
  write: UnitWrite | UnitRemoval;
  mark: string;
}
const withMark = (write: MarkedWrite['write']): MarkedWrite => ({ write, mark: randomUUID() });

/** Conditional writes of units (optimistic concurrency) with group commit. */
export class UnitWriteQueue {
  private readonly singles = new GroupCommit<MarkedWrite, boolean>(async (writes) => {
    const late = new Set(await this.applyWrites(writes));
    return writes.map(({ write }) => !late.has(write));
  }, MAX_GROUP);

  constructor(private readonly model: Models['units']) {}

  private get collection() {
    return collectionOf(this.model);
  }

  write(write: UnitWrite | UnitRemoval): Promise<boolean> {
    return this.singles.add(withMark(write));
  }

  async writeMany(writes: readonly UnitWrite[]): Promise<number[]> {
    const late: number[] = [];
    for (let at = 0; at < writes.length; at += BATCH)
      late.push(...(await this.applyWrites(writes.slice(at, at + BATCH).map(withMark))).map((write) => write.unit));
    return late;
  }

  /** @returns the writes that lost their race */
  private async applyWrites(writes: readonly MarkedWrite[]): Promise<MarkedWrite['write'][]> {
    const updates = writes.map(({ write, mark }) => ({
      filter: { _id: write.unit, version: write.version },
      update: 'patch' in write ? updateOf(write.patch, write.outbox, mark) : removalOf(write.outbox),
    }));
    const operations = updates.map((updateOne) => ({ updateOne }));
    const { matchedCount } =
      updates.length === 1
        ? await this.collection.updateOne(updates[0]!.filter, updates[0]!.update)
        : // A retry after a partial success does not match the writes that succeeded: they are identified below.
          await retried(() => this.collection.bulkWrite(operations, { ordered: false }));
    return matchedCount < writes.length ? this.identifyLost(writes) : [];
  }

  /** Identifies lost writes by outbox item or id; versions are ambiguous, because other writers leave the same ones. */
  private async identifyLost(writes: readonly MarkedWrite[]): Promise<MarkedWrite['write'][]> {
    const found = await this.collection
      .find({ _id: { $in: writes.map((w) => w.write.unit) } }, { projection: { wrote: 1, 'outbox.id': 1 } })
      .toArray();
    const documents = new Map(found.map((d) => [d._id, d]));
    const isStored = ({ write: { unit, outbox }, mark }: MarkedWrite) => {
      const d = documents.get(unit);
      return outbox ? d?.outbox?.some((item) => item.id === outbox.id) : d?.wrote === mark;
    };
    return writes.filter((w) => !isStored(w)).map((w) => w.write);
  }
}
