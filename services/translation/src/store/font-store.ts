import { driverCollection } from '@parlance/store-kit';
import type { FontStore, StoredFont } from '../domain/project-fonts';
import type { Models } from './models';

/** Copies of uploaded fonts in MongoDB. */
export class MongoFontStore implements FontStore {
  constructor(private readonly fonts: Models['fonts']) {}

  private get collection() {
    return driverCollection(this.fonts);
  }

  async idsOf(project: number): Promise<readonly number[]> {
    const found = await this.collection
      .find({ project }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .toArray();
    return found.map(({ _id }) => _id);
  }

  async ofProject(project: number): Promise<readonly StoredFont[]> {
    const found = await this.collection.find({ project }, { promoteBuffers: true }).sort({ _id: 1 }).toArray();
    return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  async put({ id, ...rest }: StoredFont): Promise<void> {
    const [codePoints, advances] = [Buffer.from(rest.codePoints), Buffer.from(rest.advances)];
    await this.collection.replaceOne({ _id: id }, { ...rest, codePoints, advances }, { upsert: true });
  }

  async remove(id: number): Promise<void> {
    await this.collection.deleteMany({ _id: id });
  }

  async removeOfProject(project: number): Promise<void> {
    await this.collection.deleteMany({ project });
  }
}
