import { isDuplicateKey } from '@parlance/store-kit';
import type { DriverCollection } from '../collection';

type LeaseId = number | string;

interface LeaseDocument<Id extends LeaseId> {
  _id: Id;
  holder?: string | null | undefined;
  /** Milliseconds since the epoch. */
  until?: number | null | undefined;
}

/** Acquires or renews a lease. @returns false: another holder has it */
export async function acquireLease<Id extends LeaseId>(
  collection: DriverCollection<LeaseDocument<Id>>,
  id: Id,
  holder: string,
  forMs: number,
): Promise<boolean> {
  const now = Date.now();
  const free = { _id: id, $or: [{ holder }, { until: { $lt: now } }] };
  try {
    const { matchedCount } = await collection.updateOne(free, { $set: { holder, until: now + forMs } });
    if (matchedCount > 0) return true;
    await collection.insertOne({ _id: id, holder, until: now + forMs });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Lets another holder acquire a lease at once. */
export async function releaseLease<Id extends LeaseId>(
  collection: Pick<DriverCollection<LeaseDocument<Id>>, 'deleteMany'>,
  id: Id,
  holder: string,
): Promise<void> {
  await collection.deleteMany({ _id: id, holder });
}
