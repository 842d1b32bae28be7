import type { Model, mongo } from 'mongoose';

/**
 * The driver's collection of a model, typed by its documents; mongoose types it by ObjectId keys. Hot paths use the driver, because it
 * skips the hydration and casting of documents. Name the documents (`driverCollection<LabelDocument>(model)`) where a collection holds
 * several kinds or the model has virtuals.
 */
export function driverCollection<D extends mongo.Document>(model: Model<D>): mongo.Collection<D>;
export function driverCollection<D extends object>(model: {
  collection: Model<unknown>['collection'];
}): mongo.Collection<D>;
export function driverCollection<D extends object>(model: {
  collection: Model<unknown>['collection'];
}): mongo.Collection<D> {
  return model.collection as unknown as mongo.Collection<D>;
}
