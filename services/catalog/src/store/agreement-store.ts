import type { AgreementStore } from '../domain/ports';
import type { AgreementDocument, Models } from './models';

/** Accepted agreements in MongoDB, one document for each component and user. */
export class MongoAgreementStore implements AgreementStore {
  constructor(private readonly model: Models['agreements']) {}

  async get(componentId: number, userId: number): Promise<{ digest: string; timeMs: number } | null> {
    const found = await this.model.findOne({ _id: `${componentId}-${userId}` }).lean<AgreementDocument>();
    return found && { digest: found.digest, timeMs: found.timeMs };
  }

  async put(componentId: number, userId: number, digest: string, timeMs: number): Promise<void> {
    await this.model.updateOne(
      { _id: `${componentId}-${userId}` },
      { $set: { componentId, userId, digest, timeMs } },
      { upsert: true },
    );
  }

  async removeOf(componentIds: readonly number[]): Promise<void> {
    await this.model.deleteMany({ componentId: { $in: [...componentIds] } });
  }

  async removeOfUser(userId: number): Promise<void> {
    await this.model.deleteMany({ userId });
  }
}
