import type { MemoryProjects, MemoryStore } from '../../domain/memory/ports';
import type { MemoryIndexes } from './memory-index';

/** What the use cases of the memory are given. */
export interface MemoryParts {
  store: MemoryStore;
  indexes: MemoryIndexes;
  projects: MemoryProjects;
  /** Milliseconds since the epoch. */
  now(): number;
}
