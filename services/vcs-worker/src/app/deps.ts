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

/** What the use cases work with. */
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
  /** Files as commits hold them, by repository, commit and path: git needs a process for each look. */
  readFiles: LRUCache<string, { bytes: Buffer; hash: string }>;
  /** Reads files, large ones in a worker thread. */
  files: FileProcessor;
  /** Git clients that are answered at the same time. */
  served: Semaphore;
  site: Site;
  /** Who commits, at the present time. */
  committer: () => Signature;
  /** Wakes the task runner. */
  wake: () => void;
}

/** Takes what people may want to know about a piece of work. */
export type Log = (line: string) => void;
