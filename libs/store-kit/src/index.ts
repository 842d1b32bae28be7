export { BlockIds, type CounterCollection } from './ids';
export { isDuplicateKey, retried } from './retry';
