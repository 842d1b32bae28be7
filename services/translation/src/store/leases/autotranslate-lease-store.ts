import type { AutotranslateLeases } from '../../domain/ports';
import { collectionOf } from '../collection';
import type { Models } from '../models';
import { acquireLease, releaseLease } from './lease';

/** Leases of automatic translations in Mongo. */
export class MongoAutotranslateLeaseStore implements AutotranslateLeases {
  constructor(private readonly model: Models['autotranslateLeases']) {}

  private get collection() {
    return collectionOf(this.model);
  }

  async acquire(translation: number, holder: string, forMs: number): Promise<boolean> {
    // Crashed processes release no leases, and their translations may be deleted by now.
    await this.collection.deleteMany({ until: { $lt: Date.now() } });
    return acquireLease(this.collection, translation, holder, forMs);
  }

  release(translation: number, holder: string): Promise<void> {
    return releaseLease(this.collection, translation, holder);
  }
}
