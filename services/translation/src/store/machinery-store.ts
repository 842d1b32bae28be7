import { isDuplicateKey } from '@parlance/store-kit';
import type { MachineryStore, SealedSettings } from '../domain/machinery/ports';
import type { MachineryDocument, Models } from './models';

/** Settings of machine translation engines in Mongo. */
export class MongoMachineryStore implements MachineryStore {
  constructor(private readonly model: Models['machinery']) {}

  private get collection() {
    return this.model.collection;
  }

  async get(project: number): Promise<SealedSettings> {
    const d = (await this.collection.findOne({ _id: project as never })) as unknown as MachineryDocument | null;
    return d ? { services: d.services, version: d.version } : { services: {}, version: 0 };
  }

  async put(project: number, services: Record<string, string>, version: number): Promise<boolean> {
    if (version === 0) {
      try {
        await this.collection.insertOne({ _id: project as never, services, version: 1 });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    }
    const result = await this.collection.updateOne(
      { _id: project as never, version },
      { $set: { services }, $inc: { version: 1 } },
    );
    return result.matchedCount === 1;
  }

  async remove(project: number): Promise<void> {
    await this.collection.deleteOne({ _id: project as never });
  }
}
