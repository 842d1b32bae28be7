import { isDuplicateKey } from '@parlance/store-kit';
import type { FencingTokens, RepositoryLease } from '../domain/ports';
import { collectionOf } from './collection';
import type { Models } from './models';

/** Fencing tokens in Mongo. */
export class MongoFencingTokenStore implements FencingTokens {
  constructor(private readonly model: Models['fencingTokens']) {}

  private get collection() {
    return collectionOf(this.model);
  }

  async claim({ component, repository, token }: RepositoryLease): Promise<boolean> {
    try {
      await this.collection.updateOne(
        // A component that moved to another repository starts with the tokens of that one.
        { _id: component, $or: [{ repository: { $ne: repository } }, { token: { $lte: token } }] },
        { $set: { repository, token } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async isCurrent({ component, repository, token }: RepositoryLease): Promise<boolean> {
    return (await this.collection.findOne({ _id: component, repository, token }, { projection: { _id: 1 } })) !== null;
  }

  async removeOfComponent(component: number): Promise<void> {
    await this.collection.deleteMany({ _id: component });
  }
}
