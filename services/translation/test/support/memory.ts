import { makeIds } from '../../src/store/ids';
import { MemoryIndex } from '../../src/app/memory/memory-index';
import type { MemoryDeps } from '../../src/app/memory/deps';
import { MongoMemoryIndexStore } from '../../src/store/indexes/memory-index-store';
import { MongoMemoryStore } from '../../src/store/memory-store';
import { testFiles } from './process';
import type { useDatabase } from './store';
import { uncached } from './uncached';

/** The translation memory of a process, with English and Czech and no project. */
export function makeMemory(database: ReturnType<typeof useDatabase>, others: Partial<MemoryDeps> = {}): MemoryDeps {
  const ids = makeIds(database.models);
  const store = new MongoMemoryStore(database.models.memory, ids, uncached);
  const now = () => Date.now();
  const languages = ['en', 'cs'].map((code, i) => [code, { id: i + 1, code }] as const);
  return {
    store,
    index: new MemoryIndex(new MongoMemoryIndexStore(database.models), 64 * 1024 * 1024),
    projects: { get: async () => null, languages: async () => new Map(languages) },
    files: testFiles,
    quotas: { perUser: 1_000_000, perProject: 1_000_000 },
    now,
    ...others,
  };
}
