import type { Model, mongo } from 'mongoose';

/**
 * The driver's collection of a model, typed by its documents. Mongoose types it by ObjectId keys. Hot paths use the driver, because it skips
 * the hydration and casting of documents.
 */
export function typedCollection<D extends object>(model: {
  collection: Model<unknown>['collection'];
}): mongo.Collection<D> {
  return model.collection as unknown as mongo.Collection<D>;
}
