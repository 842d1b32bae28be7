/** A model of the driver, as far as this needs it. */
interface Indexed {
  createCollection(): Promise<unknown>;
  createIndexes(): Promise<unknown>;
}

/** Makes the collections and indexes of models that are not there yet. */
export async function ensureIndexes(models: Readonly<Record<string, Indexed>>): Promise<void> {
  for (const model of Object.values(models)) {
    await model.createCollection().catch((error: { codeName?: string }) => {
      if (error.codeName !== 'NamespaceExists') throw error;
    });
    await model.createIndexes();
  }
}
