import type { MemoryProjects, MemoryStore } from '../../domain/memory/ports';
import type { FileWorkerPool } from '../files/file-worker-pool';
import type { MemoryIndex } from './memory-index';

/** Maximum numbers of entries. */
export interface MemoryQuotas {
  perUser: number;
  perProject: number;
}

export interface MemoryDeps {
  store: MemoryStore;
  index: Pick<MemoryIndex, 'candidates'>;
  projects: MemoryProjects;
  files: Pick<FileWorkerPool, 'memory'>;
  quotas: MemoryQuotas;
  /** Milliseconds since the epoch. */
  now(): number;
}
