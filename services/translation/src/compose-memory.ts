import type { EventBus } from '@parlance/events';
import type { Client, Implementation } from '@parlance/grpc-kit';
import { MemoryIndex } from './app/memory/memory-index';
import { MemoryIndexer } from './app/memory/memory-indexer';
import type { MemoryDeps } from './app/memory/deps';
import { MemoryProjectsClient } from './clients/memory-projects-client';
import type { LearnDeps } from './app/memory/learn';
import { whenIdle } from './app/when-idle';
import type { FileWorkerPool } from './app/files/file-worker-pool';
import type { Config } from './config';
import { memoryEdits, memoryImports, memoryOwners } from './consumers/memory';
import type { ContextHandlerDeps } from './grpc/handlers/context-handlers';
import { lookUpMatches, makeMemoryHandlers, type MemoryMethod } from './grpc/handlers/memory-handlers';
import type { Admissions } from './grpc/uploads';
import type { ContentGenerations, Ids } from './domain/ports';
import { MongoMachineryStore } from './store/machinery-store';
import type { MongoMemoryIndexStore } from './store/indexes/memory-index-store';
import { MongoMemoryStore } from './store/memory-store';
import type { Models } from './store/models';

/** Interval between passes of the indexer, in milliseconds. */
const INDEX_EVERY_MS = 5_000;
/** Edits are batched this long before they are added to the memory, in milliseconds. */
const GATHER_MS = 1_000;

interface MemoryOptions {
  app: Pick<LearnDeps, 'units' | 'translations' | 'catalog' | 'now'> & {
    files: FileWorkerPool;
    memoryIndexStore: MongoMemoryIndexStore;
    contents: ContentGenerations;
  };
  bus: EventBus;
  models: Pick<Models, 'memory' | 'memorySegments' | 'memoryDocuments' | 'searchState' | 'machinery'>;
  ids: Ids;
  catalog: Client<'catalog'>;
  callerToken: () => string;
  config: Pick<
    Config,
    | 'PARLANCE_MEMORY_INDEX_MB'
    | 'PARLANCE_MEMORY_ENTRIES_PER_USER'
    | 'PARLANCE_MEMORY_ENTRIES_PER_PROJECT'
    | 'PARLANCE_SEARCH_INDEX_GRACE_MS'
  >;
  admissions: Admissions;
}

interface ComposedMemory {
  deps: MemoryDeps;
  indexer: MemoryIndexer;
  lookUp: ContextHandlerDeps['lookUpMemory'];
  handlers: Pick<Implementation<'translation'>, MemoryMethod>;
}

/** Composes the translation memory: store, consumers, handlers. */
export async function composeMemory({
  app,
  bus,
  models,
  ids,
  catalog,
  callerToken,
  config,
  admissions,
}: MemoryOptions): Promise<ComposedMemory> {
  const store = new MongoMemoryStore(models.memory, ids, app.contents);
  const indexStore = app.memoryIndexStore;
  const indexer = new MemoryIndexer(
    { store: indexStore, now: app.now },
    { everyMs: INDEX_EVERY_MS, graceMs: config.PARLANCE_SEARCH_INDEX_GRACE_MS },
  );
  const memory: MemoryDeps = {
    store,
    index: new MemoryIndex(indexStore, config.PARLANCE_MEMORY_INDEX_MB * 1024 * 1024),
    projects: new MemoryProjectsClient(catalog, callerToken),
    files: app.files,
    quotas: {
      perUser: config.PARLANCE_MEMORY_ENTRIES_PER_USER,
      perProject: config.PARLANCE_MEMORY_ENTRIES_PER_PROJECT,
    },
    now: app.now,
  };
  const growing = { ...app, ...memory };
  const edits = await bus.consume({
    durable: 'translation-memory-edits',
    payloads: ['translationUpdated'],
    handle: memoryEdits(growing),
    batch: 100,
    gatherMs: GATHER_MS,
  });
  await bus.consume({
    durable: 'translation-memory-imports',
    payloads: ['translationUpdated'],
    handle: memoryImports(growing, whenIdle),
    batch: 100,
    gatherMs: GATHER_MS,
  });
  await bus.consume({
    durable: 'translation-memory-owners',
    payloads: ['projectUpdated', 'projectDeleted', 'userDeleted'],
    handle: memoryOwners(memory, new MongoMachineryStore(models.machinery, app.contents)),
  });
  return {
    deps: memory,
    indexer,
    lookUp: (context, query) => lookUpMatches(memory, edits, context, query),
    handlers: makeMemoryHandlers(memory, edits, admissions),
  };
}
