import {
  address,
  commonSettings,
  flag,
  integer,
  loadConfig,
  mongoSettings,
  redisSettings,
  siteAddress,
  z,
} from '@parlance/config';

export const settings = z.object({
  ...commonSettings,
  ...mongoSettings,
  ...redisSettings,
  /** gRPC address of the catalog. */
  CATALOG_ADDRESS: address(),
  /** gRPC address of the translation service. */
  TRANSLATION_ADDRESS: address(),
  /** gRPC address of the media service, which receives screenshots from repositories. */
  MEDIA_ADDRESS: address(),
  /** Replicas of each event stream in a NATS cluster. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
  /** Folder for clones. It is a cache and may be lost at any time. */
  PARLANCE_WORK_DIR: z.string('must be set').startsWith('/', 'must be an absolute path'),
  /** Allow components to use hosts with private addresses, plain http and local folders. */
  PARLANCE_ALLOW_PRIVATE_REMOTES: flag(false),
  /** Heap of the thread that parses large files, in MB; files that need more are rejected. */
  PARLANCE_WORKER_MEMORY_MB: integer({ min: 128, max: 16_384, default: 512 }),
  /** Memory for files being received and processed, of all requests together, in MB. */
  PARLANCE_FILE_MEMORY_MB: integer({ min: 128, max: 16_384, default: 192 }),
  /** Private key for ssh remotes; absent: the default keys of the process's user. */
  PARLANCE_SSH_KEY_FILE: z.string().startsWith('/', 'must be an absolute path').optional(),
  /** Public address of the site, for commit messages. */
  PARLANCE_PUBLIC_URL: siteAddress().default('http://localhost:8080'),
  PARLANCE_SITE_TITLE: z.string().max(200).default('Parlance'),
  /** Committer of all commits, and author of those without one. The address also stands for authors without one. */
  PARLANCE_COMMITTER_NAME: z.string().max(200).default('Parlance'),
  PARLANCE_COMMITTER_EMAIL: z.string().max(200).default('noreply@parlance.invalid'),
  /** Maximum concurrent tasks, including those that wait for a repository. */
  VCS_WORKER_CONCURRENCY: integer({ min: 1, max: 1000, default: 16 }),
  /** Maximum concurrently served git clients; more wait in a queue. */
  VCS_WORKER_SERVED: integer({ min: 1, max: 1000, default: 8 }),
  /** Timeout of a fetch or push, and of serving a git client, in seconds. */
  VCS_WORKER_NETWORK_TIMEOUT: integer({ min: 1, max: 86_400, default: 900 }),
  /** Maximum size of a repository, in MiB on disk. */
  VCS_WORKER_MAX_REPOSITORY_MIB: integer({ min: 1, max: 1_000_000, default: 4096 }),
  /** Seconds after which another worker takes over the repositories of a dead one. */
  VCS_WORKER_LEASE_SECONDS: integer({ min: 2, max: 3600, default: 30 }),
  /** Debounce of pulls requested by hooks of the same component, in seconds. */
  PARLANCE_HOOK_MERGE_SECONDS: integer({ min: 0, max: 3600, default: 2 }),
  /** Interval of checks for pending edits that are old enough to be committed, in seconds. */
  VCS_WORKER_COMMIT_CHECK_SECONDS: integer({ min: 1, max: 86_400, default: 60 }),
});
export type Config = z.infer<typeof settings>;

export const readConfig = (env?: Record<string, string | undefined>): Config => loadConfig(settings, env);
