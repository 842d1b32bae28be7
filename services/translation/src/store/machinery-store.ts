import { isDuplicateKey } from '@parlance/store-kit';
import type { MachineryStore, SealedSettings } from '../domain/machinery/ports';
import type { ContentGenerations } from '../domain/ports';
import type { Models } from './models';
import { collectionOf } from './collection';

/** Settings of machine translation engines in Mongo. */
export class MongoMachineryStore implements MachineryStore {
  constructor(
    private readonly model: Models['machinery'],
    private readonly contents: Pick<ContentGenerations, 'changed'>,
  ) {}

  private get collection() {
    return collectionOf(this.model);
  }

  async get(project: number): Promise<SealedSettings> {
    const d = await this.collection.findOne({ _id: project });
    return d ? { services: d.services, version: d.version } : { services: {}, version: 0 };
  }

  async put(project: number, services: Record<string, string>, version: number): Promise<boolean> {
    if (!(await this.store(project, services, version))) return false;
    await this.contents.changed([{ project, component: 0 }]);
    return true;
  }

  private async store(project: number, services: Record<string, string>, version: number): Promise<boolean> {
    if (version === 0) {
      try {
        await this.collection.insertOne({ _id: project, services, version: 1 });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    }
    const result = await this.collection.updateOne(
      { _id: project, version },
      { $set: { services }, $inc: { version: 1 } },
    );
    return result.matchedCount === 1;
  }

  async remove(project: number): Promise<void> {
    await this.collection.deleteMany({ _id: project });
    await this.contents.changed([{ project, component: 0 }]);
  }
}
