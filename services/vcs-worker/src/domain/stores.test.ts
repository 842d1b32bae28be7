import { MemoryComponentIndex } from '../../test/support/memory/component-index';
import { MemoryRepositoryStore, MemoryWorkerStore } from '../../test/support/memory/repository-store';
import { MemoryTaskStore } from '../../test/support/memory/task-store';
import { storeContract } from '../../test/support/store-contract';

describe('the stores in memory', () => {
  storeContract(async () => ({
    repositories: new MemoryRepositoryStore(),
    workers: new MemoryWorkerStore(),
    index: new MemoryComponentIndex(),
    tasks: new MemoryTaskStore(),
  }));
});
