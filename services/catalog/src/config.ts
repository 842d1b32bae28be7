import {
  address,
  commonSettings,
  encryptionSettings,
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
  /** gRPC address of identity, which creates the teams of new projects. */
  IDENTITY_ADDRESS: address(),
  /** gRPC address of vcs-worker, which validates repositories. */
  VCS_WORKER_ADDRESS: address(),
  /** gRPC address of the hooks service, which sends webhooks of add-ons. */
  HOOKS_ADDRESS: address(),
  /** Maximum components of a project. */
  PARLANCE_MAX_COMPONENTS: integer({ min: 1, max: 1_000_000, default: 5000 }),
  /** Maximum add-ons of a component, of a project itself, and of the site itself. */
  PARLANCE_MAX_ADDONS: integer({ min: 1, max: 10_000, default: 100 }),
  /** Replicas of each event stream in a NATS cluster. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
});
export type Config = z.infer<typeof settings>;

export const readConfig = (env?: Record<string, string | undefined>): Config => loadConfig(settings, env);
