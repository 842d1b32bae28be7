import { wrapMethods } from '../collections';
import { retried } from './retry';

/** Methods that send one statement. Bulk writes send several, of which the engine may roll back some. */
const SINGLE_WRITES = [
  'insertOne',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteMany',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
] as const;

/** Retries each single write of a connection that the engine rolled back, from models and collections. Call it before models are created. */
export const retryWrites = <C extends object>(connection: C): C =>
  wrapMethods(
    connection,
    SINGLE_WRITES,
    (method) =>
      function (this: unknown, ...args: unknown[]) {
        return retried(async () => method.apply(this, args));
      },
  );
