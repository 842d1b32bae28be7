export {
  ByteBudget,
  sharesOf,
  type ByteBudgetOptions,
  type ByteLease,
  type ByteShares,
  type QueuePolicy,
} from './byte-budget';
export { fromBatches, readBatches, toBatches, toBatchesInSlices, type Batches } from './batches';
export { FileAdmission, FileRoom, type FileAdmissionOptions, type FileSender } from './file-admission';
export { eachInSlices, flatMapInSlices, inPortions, mapInSlices, TimeSlice, yieldToEventLoop } from './slices';
export { TaskLimitError, WorkerPool, type WorkerPoolOptions, type WorkerTasks } from './worker-pool';
export { transferResult } from './transfer-result';
