import type { MemoryProjects, MemoryStore } from '../../domain/memory/ports';
import type { FileWork } from '../files/file-work';
import type { MemoryIndexes } from './memory-index';

/** Maximum numbers of entries. */
export interface MemoryQuotas {
  perUser: number;
  perProject: number;
}

export interface MemoryDeps {
  store: MemoryStore;
  indexes: MemoryIndexes;
  projects: MemoryProjects;
  files: Pick<FileWork, 'memory'>;
  quotas: MemoryQuotas;
  /** Milliseconds since the epoch. */
  now(): number;
}
