import { retried } from './writes/retry';

/** The used part of a mongoose model. */
interface Indexed {
  createCollection(): Promise<unknown>;
  createIndexes(): Promise<unknown>;
}

/** Creates missing collections and indexes of models. Replicas that start together may create the same index at once. */
export async function ensureIndexes(models: Readonly<Record<string, Indexed>>): Promise<void> {
  for (const model of Object.values(models)) {
    await model.createCollection().catch((error: { codeName?: string }) => {
      if (error.codeName !== 'NamespaceExists') throw error;
    });
    await retried(() => model.createIndexes());
  }
}
