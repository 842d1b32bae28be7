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

const { NATS_URL: _unused, GRPC_LISTEN: _alsoUnused, ...common } = commonSettings;

const origin = /^https?:\/\/[^/\s]+$/;

/** Every setting of the gateway. */
export const settings = z.object({
  ...common,
  ...redisSettings,
  /** Where the public API listens. */
  GATEWAY_LISTEN: z
    .string()
    .regex(/^[^\s:/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/, 'must be host:port')
    .default('0.0.0.0:8080'),
  /** Address under which clients reach the API, without a slash at the end; absent: the host each request names. */
  PARLANCE_PUBLIC_URL: siteAddress().optional(),
  /** Name of the site, shown in metrics and feeds. */
  PARLANCE_SITE_TITLE: z.string().max(100).default('Parlance'),
  PARLANCE_RATE_LIMIT_ANONYMOUS: rate('100/day'),
  PARLANCE_RATE_LIMIT_AUTHENTICATED: rate('5000/hour'),
  /** Reverse proxies whose X-Forwarded-For is believed: a count of hops, or addresses and networks, comma separated; empty: none. */
  PARLANCE_TRUSTED_PROXIES: z
    .string()
    .regex(
      /^(\d{1,2}|[0-9a-fA-F.:/]+(,\s*[0-9a-fA-F.:/]+)*|(loopback|linklocal|uniquelocal)(,\s*(loopback|linklocal|uniquelocal))*)$/,
      'must be a number of hops or a list of addresses',
    )
    .optional(),
  /** Origins that browsers may call the API from: comma separated, or *. */
  PARLANCE_CORS_ORIGINS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((o) => o.trim())
        .filter(Boolean),
    )
    .refine(
      (list) => list.every((o) => o === '*' || origin.test(o)),
      'must be origins such as https://example.org, or *',
    ),
  /** Largest JSON or form body, in bytes. */
  PARLANCE_MAX_BODY_BYTES: integer({ min: 1024, max: 1_000_000_000, default: 10_485_760 }),
  /** Largest upload with files, in bytes. */
  PARLANCE_MAX_UPLOAD_BYTES: integer({ min: 1024, max: 10_000_000_000, default: 104_857_600 }),
  /** Items on a page of a list when the request does not say. */
  PARLANCE_PAGE_SIZE: integer({ min: 1, max: 1000, default: 50 }),
  /** Compress answers of 32 KiB and more for clients that ask for it. Off: the proxy before the gateway does it better. */
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
