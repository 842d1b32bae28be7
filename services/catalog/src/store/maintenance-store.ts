import type { Maintenance, MaintenanceStore } from '../domain/ports';
import type { MaintenanceDocument, Models } from './models';

const ID = 'maintenance';

/** The maintenance mode in MongoDB: a document that exists while it is on. */
export class MongoMaintenanceStore implements MaintenanceStore {
  constructor(private readonly model: Models['maintenance']) {}

  async get(): Promise<Maintenance | null> {
    return fromDocument(await this.model.findOne({ _id: ID }).lean<MaintenanceDocument>());
  }

  async put({ sinceMs, ...fields }: Maintenance): Promise<Maintenance> {
    const stored = await this.model
      .findOneAndUpdate(
        { _id: ID },
        { $set: fields, $setOnInsert: { sinceMs } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean<MaintenanceDocument>();
    return fromDocument(stored)!;
  }

  async remove(): Promise<void> {
    await this.model.deleteMany({ _id: ID });
  }
}

function fromDocument(found: MaintenanceDocument | null): Maintenance | null {
  if (!found) return null;
  const { _id, ...maintenance } = found;
  return { untilMs: 0, ...maintenance };
}
