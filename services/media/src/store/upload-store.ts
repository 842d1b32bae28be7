import { driverCollection } from '@parlance/store-kit';
import type { UploadStore } from '../domain/ports';
import type { ExpectedDocument, Models } from './models';

/** Objects that are being uploaded, in MongoDB. */
export class MongoUploadStore implements UploadStore {
  constructor(private readonly models: Pick<Models, 'expected' | 'screenshots' | 'fonts'>) {}

  async expectObject(key: string, untilMs: number): Promise<void> {
    await driverCollection(this.models.expected).insertOne({ _id: key, until: new Date(untilMs) });
  }

  async settleObject(key: string): Promise<void> {
    await driverCollection(this.models.expected).deleteMany({ _id: key });
  }

  async strayObjects(now: number, limit: number): Promise<string[]> {
    const due = await this.models.expected
      .find({ until: { $lte: new Date(now) } })
      .limit(limit)
      .lean<ExpectedDocument[]>();
    const stray: string[] = [];
    for (const { _id: key } of due) {
      if (await this.isUsed(key)) await this.settleObject(key);
      else stray.push(key);
    }
    return stray;
  }

  private async isUsed(key: string): Promise<boolean> {
    const { screenshots, fonts } = this.models;
    return Boolean((await screenshots.exists({ 'image.key': key })) ?? (await fonts.exists({ key })));
  }
}
