import { address, commonSettings, flag, integer, loadConfig, mongoSettings, siteAddress, z } from '@parlance/config';

export const settings = z.object({
  ...commonSettings,
  ...mongoSettings,
  /** gRPC address of the catalog. */
  CATALOG_ADDRESS: address(),
  /** gRPC address of the translation service. */
  TRANSLATION_ADDRESS: address(),
  /** gRPC address of the media service, which gets the screenshots that lie in repositories. */
  MEDIA_ADDRESS: address(),
  /** Copies of each event stream in a NATS cluster. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
  /** Folder for clones. It may be lost at any time: everything in it can be made again. */
  PARLANCE_WORK_DIR: z.string('must be set').startsWith('/', 'must be an absolute path'),
  /** Components may use hosts with private addresses, plain http and local folders. */
  PARLANCE_ALLOW_PRIVATE_REMOTES: flag(false),
  /** Heap of the thread that reads large files, in MB: a file that needs more is refused. */
  PARLANCE_WORKER_MEMORY_MB: integer({ min: 128, max: 16_384, default: 512 }),
  /** Memory for files that are received and worked on, of all requests together, in MB. */
  PARLANCE_FILE_MEMORY_MB: integer({ min: 128, max: 16_384, default: 192 }),
  /** Private key for ssh remotes; absent: the keys of the user that the process runs as. */
  PARLANCE_SSH_KEY_FILE: z.string().startsWith('/', 'must be an absolute path').optional(),
  /** Address under which people reach the site, for commit messages. */
  PARLANCE_PUBLIC_URL: siteAddress().default('http://localhost:8080'),
  PARLANCE_SITE_TITLE: z.string().max(200).default('Parlance'),
  /** Committer of all commits. */
  PARLANCE_COMMITTER_NAME: z.string().max(200).default('Parlance'),
  PARLANCE_COMMITTER_EMAIL: z.string().max(200).default('noreply@parlance.invalid'),
  /** Tasks at the same time; those that wait for a repository count too. */
  VCS_WORKER_CONCURRENCY: integer({ min: 1, max: 1000, default: 16 }),
  /** Git clients that are answered at the same time; more wait for their turn. */
  VCS_WORKER_SERVED: integer({ min: 1, max: 1000, default: 8 }),
  /** Seconds that a fetch or push may take, from and to the remote as well as by git clients that are answered. */
  VCS_WORKER_NETWORK_TIMEOUT: integer({ min: 1, max: 86_400, default: 900 }),
  /** Largest repository, in MiB on disk. */
  VCS_WORKER_MAX_REPOSITORY_MIB: integer({ min: 1, max: 1_000_000, default: 4096 }),
  /** Seconds after which another worker takes over the repository of one that is gone. */
  VCS_WORKER_LEASE_SECONDS: integer({ min: 2, max: 3600, default: 30 }),
  /** Seconds that a pull which a hook asked for waits for more hooks of the same component. */
  PARLANCE_HOOK_MERGE_SECONDS: integer({ min: 0, max: 3600, default: 2 }),
  /** Seconds between looks for pending edits that are old enough to be committed. */
  VCS_WORKER_COMMIT_CHECK_SECONDS: integer({ min: 1, max: 86_400, default: 60 }),
});
export type Config = z.infer<typeof settings>;

export const readConfig = (env?: Record<string, string | undefined>): Config => loadConfig(settings, env);
