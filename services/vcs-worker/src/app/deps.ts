import type { Signature } from '@parlance/git';
import type { LRUCache } from 'lru-cache';
import type { CatalogClient, MediaClient, TranslationClient } from '../domain/ports';
import type { Site } from '../domain/message';
import type { CommitStore, ComponentIndex, RepositoryStore } from '../domain/repository';
import type { TaskStore } from '../domain/task';
import type { Clones } from './repository/clones';
import type { FileProcessor } from './files/file-processor';
import type { Semaphore } from './semaphore';
import type { RepositoryQueue } from './repository/repository-queue';

/** Dependencies of the use cases; each one declares the subset that it needs. */
export interface Deps {
  repositories: RepositoryStore;
  commits: CommitStore;
  index: ComponentIndex;
  tasks: TaskStore;
  translations: TranslationClient;
  catalog: CatalogClient;
  media: MediaClient;
  clones: Clones;
  queue: RepositoryQueue;
  /** Cache of files by repository, commit and path: git needs a process for each read. */
  readFiles: LRUCache<string, { bytes: Buffer; hash: string }>;
  /** Parses files, large ones in a worker thread. */
  files: FileProcessor;
  /** Limits concurrently served git clients. */
  serveSemaphore: Semaphore;
  site: Site;
  /** Committer signature with the current time. */
  committer: () => Signature;
  /** Whether maintenance mode is on: no background work may start. */
  paused: () => Promise<boolean>;
  /** Wakes the task runner. */
  wake: () => void;
}

/** Writes a line to the task's log. */
export type Log = (line: string) => void;
