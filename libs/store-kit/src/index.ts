export { BlockIds, type CounterCollection } from './ids';
export { ensureIndexes } from './indexes';
export { isDuplicateKey, retried } from './retry';
