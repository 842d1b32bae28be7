import {
  address,
  commonSettings,
  encryptionSettings,
  flag,
  integer,
  loadConfig,
  mongoSettings,
  z,
} from '@parlance/config';

export const settings = z.object({
  ...commonSettings,
  ...mongoSettings,
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
});
export type Config = z.infer<typeof settings>;

export const readConfig = (env?: Record<string, string | undefined>): Config => loadConfig(settings, env);
