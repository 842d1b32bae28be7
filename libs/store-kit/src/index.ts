export { connectMongo, type Mongo } from './connect';
export { BlockIds, type CounterCollection } from './ids';
export { ensureIndexes } from './indexes';
export { insertUnique } from './insert';
export { duplicatesIn, isDuplicateKey, pauseAfter, retried } from './retry';
