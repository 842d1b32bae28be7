import type { Model, mongo } from 'mongoose';

/**
 * The driver's collection behind a model, typed with the model's document. Stores use it where mongoose would cast and clone every
 * document; a document's type is still that of its schema.
 */
export function driverCollection<D extends mongo.Document>(model: Model<D>): mongo.Collection<D> {
  // Mongoose types its collection without the document.
  return model.collection as unknown as mongo.Collection<D>;
}
