import { z } from 'zod';

/** Thrown at start when the environment is wrong; its message lists every variable that is. */
export class ConfigError extends Error {}

const secretName = /SECRET|KEY|PASSWORD|TOKEN|URI/;

/**
 * Reads settings from the environment, once, at start.
 * @throws ConfigError naming each wrong variable, its value (masked when it may hold a secret) and what is allowed.
 */
export function loadConfig<T extends z.ZodType>(
  schema: T,
  env: Record<string, string | undefined> = process.env,
): z.infer<T> {
  // An empty variable is an absent one: shells and charts cannot always leave it out.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? '?');
    const value = given[name];
    const shown =
      value === undefined ? 'is not set' : secretName.test(name) ? 'has a wrong value' : `is ${JSON.stringify(value)}`;
    return `  ${name} ${shown}: ${issue.message}`;
  });
  throw new ConfigError(`Wrong settings in the environment:\n${lines.join('\n')}`);
}

const hostPort = z.string().regex(/^[^\s:/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/, 'must be host:port');

/** A switch: true or false, also 1/0, yes/no, on/off. */
export function flag(defaultValue: boolean) {
  return z
    .enum(['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'], 'must be true or false')
    .default(defaultValue ? 'true' : 'false')
    .transform((v) => v === 'true' || v === '1' || v === 'yes' || v === 'on');
}

/** A whole number within bounds. */
export function integer(options: { min: number; max: number; default: number }) {
  return z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .default(String(options.default))
    .transform(Number)
    .pipe(
      z.number().min(options.min, `must be at least ${options.min}`).max(options.max, `must be at most ${options.max}`),
    );
}

/** A rate such as `100/day`: count per second, minute, hour or day; `off` for none. */
export function rate(defaultValue: string) {
  return z
    .string()
    .regex(/^(\d{1,9}\/(second|minute|hour|day)|off)$/, 'must look like 100/day or 5000/hour, or be off')
    .default(defaultValue)
    .transform((text) => {
      if (text === 'off') return null;
      const [count, unit] = text.split('/') as [string, 'second' | 'minute' | 'hour' | 'day'];
      return { count: Number(count), windowSeconds: { second: 1, minute: 60, hour: 3600, day: 86400 }[unit] };
    });
}

/** Settings that every process has. */
export const commonSettings = {
  /** Where gRPC listens. */
  GRPC_LISTEN: hostPort.default('0.0.0.0:50051'),
  /** Where /healthz, /readyz and /metrics are answered. */
  OPERATIONS_LISTEN: hostPort.default('0.0.0.0:9090'),
  /** Signs principals between processes; the same everywhere. */
  PARLANCE_SERVICE_SECRET: z.string('must be set').min(32, 'must have at least 32 characters'),
  NATS_URL: z.string('must be set').regex(/^(nats|tls):\/\//, 'must start with nats:// or tls://'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  /** Seconds to finish running requests after SIGTERM. */
  PARLANCE_DRAIN_SECONDS: integer({ min: 1, max: 600, default: 20 }),
  /** Seconds after which a client that alone does not reach an engine reconnects; the process exits when that does not help. */
  PARLANCE_WATCHDOG_SECONDS: integer({ min: 5, max: 3600, default: 30 }),
};

/** What gateways and those who move their cache generations share. */
export const redisSettings = {
  REDIS_URL: z.string('must be set').regex(/^rediss?:\/\//, 'must start with redis:// or rediss://'),
};

/** The store of a service: one database and credential each. */
export const mongoSettings = {
  MONGODB_URI: z.string('must be set').regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://'),
  /** How long a query may keep the store busy, in milliseconds; bulk and maintenance work have limits of their own. */
  PARLANCE_QUERY_TIMEOUT_MS: integer({ min: 100, max: 600_000, default: 5_000 }),
};

/** Key for secrets at rest: 32 bytes in base64. */
export const encryptionSettings = {
  PARLANCE_ENCRYPTION_KEY: z
    .string('must be set')
    .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64'),
};

const ipPorts =
  /^(\d{1,3}(\.\d{1,3}){3}:\d{1,5}(,\d{1,3}(\.\d{1,3}){3}:\d{1,5})+|\[[0-9a-fA-F:]+\]:\d{1,5}(,\[[0-9a-fA-F:]+\]:\d{1,5})+)$/;

/** Address of a service: host:port, where DNS names all replicas, or the ip:port of each replica, separated by commas. */
export const address = () =>
  z
    .string('must be set')
    .refine(
      (text) => hostPort.safeParse(text).success || ipPorts.test(text),
      'must be host:port, or ip:port of each replica separated by commas',
    );

/** Address under which people and clients reach the site, without a slash at the end. */
export const siteAddress = () =>
  z.string().regex(/^https?:\/\/[^\s?#]*[^\s?#/]$/, 'must be an http or https address without a slash at the end');

export { z };
