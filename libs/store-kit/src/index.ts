export { BlockIds, type CounterCollection } from './ids';
export { ensureIndexes } from './indexes';
export { duplicatesIn, isDuplicateKey, retried } from './retry';
