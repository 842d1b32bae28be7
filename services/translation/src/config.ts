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

export const settings = z.object({
  ...commonSettings,
  ...mongoSettings,
  ...redisSettings,
  ...encryptionSettings,
  /** gRPC address of the catalog. */
  CATALOG_ADDRESS: address(),
  /** gRPC address of identity, which knows users by name. */
  IDENTITY_ADDRESS: address(),
  /** gRPC address of media, which knows what screenshots show. */
  MEDIA_ADDRESS: address(),
  /** gRPC address of vcs-worker, whose clones hold the files. */
  VCS_WORKER_ADDRESS: address(),
  /** Copies of each event stream in a NATS cluster. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
  /** Searches that may read many strings and run at the same time, in all and for one caller. */
  TRANSLATION_SEARCHES: integer({ min: 1, max: 100, default: 2 }),
  TRANSLATION_SEARCHES_PER_CALLER: integer({ min: 1, max: 100, default: 1 }),
  /** Machine translation engines may be reached at private addresses and over plain http. */
  PARLANCE_ALLOW_PRIVATE_REMOTES: flag(false),
  /** Threads that work on large files at the same time. */
  PARLANCE_WORKER_THREADS: integer({ min: 1, max: 32, default: 2 }),
  /** Heap of each of these threads, in MB: a file that needs more is refused. */
  PARLANCE_WORKER_MEMORY_MB: integer({ min: 128, max: 16_384, default: 512 }),
  /** Memory for files that are received and worked on, of all requests together, in MB; of those of processes the same again. */
  PARLANCE_FILE_MEMORY_MB: integer({ min: 128, max: 16_384, default: 192 }),
  /** Memory of the indexes of the translation memory, in MB. */
  PARLANCE_MEMORY_INDEX_MB: integer({ min: 16, max: 16_384, default: 256 }),
  /** Entries that the own translation memory of a user may hold. */
  PARLANCE_MEMORY_ENTRIES_PER_USER: integer({ min: 0, max: 100_000_000, default: 100_000 }),
  /** Entries that the translation memory of a project may hold. */
  PARLANCE_MEMORY_ENTRIES_PER_PROJECT: integer({ min: 0, max: 100_000_000, default: 1_000_000 }),
});
export type Config = z.infer<typeof settings>;

export const readConfig = (env?: Record<string, string | undefined>): Config => loadConfig(settings, env);
