import { availableParallelism } from 'node:os';
import {
  address,
  commonSettings,
  encryptionSettings,
  flag,
  integer,
  loadConfig,
  mongoSettings,
  redisSettings,
  z,
} from '@parlance/config';

/** A heavy search occupies a core, here or in the store; the other half is left to reads and edits. */
const DEFAULT_SEARCHES = Math.max(1, Math.floor(availableParallelism() / 2));

export const settings = z.object({
  ...commonSettings,
  ...mongoSettings,
  ...redisSettings,
  ...encryptionSettings,
  /** gRPC address of the catalog. */
  CATALOG_ADDRESS: address(),
  /** gRPC address of identity, which resolves user names. */
  IDENTITY_ADDRESS: address(),
  /** gRPC address of media, which owns screenshots. */
  MEDIA_ADDRESS: address(),
  /** gRPC address of vcs-worker, which owns the repository files. */
  VCS_WORKER_ADDRESS: address(),
  /** Copies of each event stream in a NATS cluster. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
  /** Limits of concurrent heavy searches: in total and for one caller. */
  TRANSLATION_SEARCHES: integer({ min: 1, max: 100, default: DEFAULT_SEARCHES }),
  TRANSLATION_SEARCHES_PER_CALLER: integer({ min: 1, max: 100, default: 1 }),
  /**
   * Time before the search index of an existing installation is built, in milliseconds. Processes of older versions do not mark their
   * writes for the index, so they must have stopped by then.
   */
  PARLANCE_SEARCH_INDEX_GRACE_MS: integer({ min: 0, max: 86_400_000, default: 600_000 }),
  /** Allows machine translation engines at private addresses and over plain http. */
  PARLANCE_ALLOW_PRIVATE_REMOTES: flag(false),
  /** Number of worker threads for large files. */
  PARLANCE_WORKER_THREADS: integer({ min: 1, max: 32, default: 2 }),
  /** Heap of each worker thread, in MB; files that need more are rejected. */
  PARLANCE_WORKER_MEMORY_MB: integer({ min: 128, max: 16_384, default: 512 }),
  /** Memory for the files of all user requests, in MB; services have the same amount again. */
  PARLANCE_FILE_MEMORY_MB: integer({ min: 128, max: 16_384, default: 192 }),
  /** Memory for cached parts of the index of the translation memory, in MB. */
  PARLANCE_MEMORY_INDEX_MB: integer({ min: 1, max: 16_384, default: 128 }),
  /** Maximum number of entries in the personal translation memory of a user. */
  PARLANCE_MEMORY_ENTRIES_PER_USER: integer({ min: 0, max: 100_000_000, default: 100_000 }),
  /** Maximum number of entries in the translation memory of a project. */
  PARLANCE_MEMORY_ENTRIES_PER_PROJECT: integer({ min: 0, max: 100_000_000, default: 1_000_000 }),
});
export type Config = z.infer<typeof settings>;

export const readConfig = (env?: Record<string, string | undefined>): Config => loadConfig(settings, env);
