export { ByteBudget, type ByteBudgetOptions } from './byte-budget';
export { fromBatches, readBatches, toBatches, toBatchesInSlices, type Batches } from './batches';
export { eachInSlices, flatMapInSlices, mapInSlices, TimeSlice, yieldToEventLoop } from './slices';
export { TaskLimitError, WorkerPool, type WorkerPoolOptions, type WorkerTasks } from './worker-pool';
export { moved } from './moved';
