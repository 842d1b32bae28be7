import type { Model } from 'mongoose';

/** Cursor of the driver. */
export interface DriverCursor<D> {
  sort(order: object): DriverCursor<D>;
  skip(count: number): DriverCursor<D>;
  limit(count: number): DriverCursor<D>;
  toArray(): Promise<D[]>;
  hasNext(): Promise<boolean>;
  close(): Promise<void>;
  readBufferedDocuments(number?: number): D[];
}

interface UpdateResult {
  matchedCount: number;
  modifiedCount: number;
}

/**
 * Collection of the driver with documents of one type. Stores use the driver where hydrating Mongoose documents would dominate the cost
 * of a query; the model still describes the documents. At run time, results of projections contain only the projected fields.
 */
export interface DriverCollection<D> {
  findOne(filter: object, options?: object): Promise<D | null>;
  find(filter: object, options?: object): DriverCursor<D>;
  findOneAndUpdate(filter: object, update: object, options: object): Promise<D | null>;
  insertOne(document: D): Promise<unknown>;
  insertMany(documents: readonly D[], options?: object): Promise<unknown>;
  updateOne(filter: object, update: object, options?: object): Promise<UpdateResult>;
  updateMany(filter: object, update: object): Promise<UpdateResult>;
  bulkWrite(
    operations: readonly (
      | { updateOne: { filter: object; update: object; upsert?: boolean } }
      | { updateMany: { filter: object; update: object } }
    )[],
    options: object,
  ): Promise<UpdateResult>;
  deleteMany(filter: object): Promise<{ deletedCount: number }>;
  countDocuments(filter: object, options?: object): Promise<number>;
  distinct(field: string, filter?: object): Promise<unknown[]>;
  aggregate<R>(pipeline: readonly object[]): { toArray(): Promise<R[]> };
}

/** The one place where the driver's types are replaced: Mongoose types ids as ObjectId, the stores use numbers and strings. */
export function collectionOf<D>(model: Model<D>): DriverCollection<D> {
  return model.collection as unknown as DriverCollection<D>;
}
