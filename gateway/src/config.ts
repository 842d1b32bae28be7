import {
  address,
  commonSettings,
  flag,
  integer,
  loadConfig,
  rate,
  redisSettings,
  siteAddress,
  z,
} from '@parlance/config';
import { isHostEntry } from './middleware/hosts';

const { NATS_URL: _unused, GRPC_LISTEN: _alsoUnused, ...common } = commonSettings;

const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

const origin = /^https?:\/\/[^/\s]+$/;

/** Settings of the gateway. */
export const settings = z.object({
  ...common,
  ...redisSettings,
  /** Listen address of the public API. */
  GATEWAY_LISTEN: z
    .string()
    .regex(/^[^\s:/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/, 'must be host:port')
    .default('0.0.0.0:8080'),
  /** Address under which clients reach the API, without a trailing slash; absent: the host of each request. */
  PARLANCE_PUBLIC_URL: siteAddress().optional(),
  /** Name of the site, shown in metrics and feeds. */
  PARLANCE_SITE_TITLE: z.string().max(100).default('Parlance'),
  PARLANCE_RATE_LIMIT_ANONYMOUS: rate('100/day'),
  PARLANCE_RATE_LIMIT_AUTHENTICATED: rate('5000/hour'),
  /** Name of the OpenID Connect provider of identity on the page of the sign-in; absent: it is not offered. */
  PARLANCE_OIDC_NAME: z.string().max(100).optional(),
  /** Applies to each address or user, and to all requests for one object. */
  PARLANCE_RATE_LIMIT_HOOKS: rate('300/minute'),
  PARLANCE_RATE_LIMIT_HOOKS_OBJECT: rate('60/minute'),
  PARLANCE_RATE_LIMIT_EXPORTS: rate('60/minute'),
  PARLANCE_RATE_LIMIT_EXPORTS_OBJECT: rate('300/minute'),
  PARLANCE_RATE_LIMIT_GIT: rate('300/minute'),
  PARLANCE_RATE_LIMIT_GIT_OBJECT: rate('1200/minute'),
  PARLANCE_RATE_LIMIT_PAGES: rate('300/minute'),
  /** Trusted reverse proxies for X-Forwarded-For: a number of hops, or comma-separated addresses and networks; empty: none. */
  PARLANCE_TRUSTED_PROXIES: z
    .string()
    .regex(
      /^(\d{1,2}|[0-9a-fA-F.:/]+(,\s*[0-9a-fA-F.:/]+)*|(loopback|linklocal|uniquelocal)(,\s*(loopback|linklocal|uniquelocal))*)$/,
      'must be a number of hops or a list of addresses',
    )
    .optional(),
  /** Origins that browsers may call the API from: comma-separated, or *. */
  PARLANCE_CORS_ORIGINS: z
    .string()
    .default('')
    .transform(commaSeparated)
    .refine(
      (list) => list.every((o) => o === '*' || origin.test(o)),
      'must be origins such as https://example.org, or *',
    ),
  /** Accepted values of the Host header besides PARLANCE_PUBLIC_URL and loopback names; comma-separated, `*` for all. */
  PARLANCE_ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform(commaSeparated)
    .refine(
      (list) => list.every(isHostEntry),
      'must be host names without ports such as example.org or .example.org, or *',
    ),
  /** Maximum JSON or form body, in bytes; larger ones would block the event loop for too long. */
  PARLANCE_MAX_BODY_BYTES: integer({ min: 1024, max: 16_777_216, default: 2_097_152 }),
  /** Maximum upload with files, in bytes. */
  PARLANCE_MAX_UPLOAD_BYTES: integer({ min: 1024, max: 10_000_000_000, default: 104_857_600 }),
  /** Total bytes of request bodies in memory. */
  PARLANCE_BODY_MEMORY_BYTES: integer({ min: 1_048_576, max: 10_000_000_000, default: 134_217_728 }),
  /** Total bytes of uploaded files on disk. */
  PARLANCE_BODY_DISK_BYTES: integer({ min: 1_048_576, max: 1_000_000_000_000, default: 1_073_741_824 }),
  /** Seconds without a byte until a body times out. */
  PARLANCE_BODY_TIMEOUT_SECONDS: integer({ min: 1, max: 600, default: 30 }),
  /** Default page size of lists. */
  PARLANCE_PAGE_SIZE: integer({ min: 1, max: 1000, default: 50 }),
  /**
   * Compress responses of 32 KiB and more for clients that accept it. Off by default because a reverse proxy is more efficient.
   */
  PARLANCE_COMPRESSION: flag(false),
  IDENTITY_ADDRESS: address(),
  CATALOG_ADDRESS: address(),
  TRANSLATION_ADDRESS: address(),
  VCS_WORKER_ADDRESS: address(),
  MEDIA_ADDRESS: address(),
  STATISTICS_ADDRESS: address(),
  HOOKS_ADDRESS: address(),
});

export type Config = z.infer<typeof settings>;

/** @throws ConfigError */
export function readConfig(env?: Record<string, string | undefined>): Config {
  return loadConfig(settings, env);
}
