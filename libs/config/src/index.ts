import { z } from 'zod';

/** The environment is invalid. The message lists all invalid variables. */
export class ConfigError extends Error {}

const secretName = /SECRET|KEY|PASSWORD|TOKEN|URI/;

/**
 * Reads settings from the environment. Called once at start.
 * @throws ConfigError naming each invalid variable, its value (masked if it may be a secret) and the allowed values.
 */
export function loadConfig<T extends z.ZodType>(
  schema: T,
  env: Record<string, string | undefined> = process.env,
): z.infer<T> {
  // An empty variable counts as unset, because shells and charts cannot always omit it.
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

/** An integer within bounds. */
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

const absolutePath = z.string().startsWith('/', 'must be an absolute path');

/**
 * Signs callers between processes. All processes share it. Several secrets are separated by commas: the first one signs, all are
 * accepted.
 */
export const serviceSecret = () =>
  z
    .string('must be set')
    .refine(
      (text) => text.split(',').every((secret) => secret.length >= 32),
      'must have at least 32 characters; several secrets are separated by commas',
    );

/** Part of the names of event streams and of their subjects. */
export const natsNamespace = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,120}$/, 'must have at most 120 letters, digits, hyphens and underscores')
    .default('');

/** TLS to engines whose addresses ask for it. */
export const engineTlsSettings = {
  /** PEM files of the client certificate for engines: both, or none. */
  PARLANCE_ENGINES_TLS_CERT_FILE: absolutePath.optional(),
  PARLANCE_ENGINES_TLS_KEY_FILE: absolutePath.optional(),
  /** PEM file with authorities that are trusted for engines besides those that Node.js trusts. */
  PARLANCE_ENGINES_TLS_CA_FILE: absolutePath.optional(),
};

type EngineTlsSettings = Partial<Record<keyof typeof engineTlsSettings, string | undefined>>;

/**
 * The files of TLS to engines; undefined: no client certificate, and the authorities that Node.js trusts.
 * @throws ConfigError for a certificate without its key, and the reverse
 */
export function engineTlsFiles(
  config: EngineTlsSettings,
): { certFile?: string; keyFile?: string; caFile?: string } | undefined {
  const {
    PARLANCE_ENGINES_TLS_CERT_FILE: certFile,
    PARLANCE_ENGINES_TLS_KEY_FILE: keyFile,
    PARLANCE_ENGINES_TLS_CA_FILE: caFile,
  } = config;
  if (!certFile !== !keyFile)
    throw new ConfigError(
      `Wrong settings in the environment:\n  PARLANCE_ENGINES_TLS_${certFile ? 'KEY' : 'CERT'}_FILE must be set, because a client certificate needs its key`,
    );
  return certFile || caFile ? { certFile, keyFile, caFile } : undefined;
}

/** Settings that every process has. */
export const commonSettings = {
  /** Listen address of gRPC. */
  GRPC_LISTEN: hostPort.default('0.0.0.0:50051'),
  /** Listen address of /healthz, /livez, /readyz and /metrics. */
  OPERATIONS_LISTEN: hostPort.default('0.0.0.0:9090'),
  PARLANCE_SERVICE_SECRET: serviceSecret(),
  /** PEM files for mutual TLS between processes: all three, or none for plaintext. */
  PARLANCE_TLS_CERT_FILE: absolutePath.optional(),
  PARLANCE_TLS_KEY_FILE: absolutePath.optional(),
  PARLANCE_TLS_CA_FILE: absolutePath.optional(),
  ...engineTlsSettings,
  NATS_URL: z.string('must be set').regex(/^(nats|tls):\/\//, 'must start with nats:// or tls://'),
  /** Separates the event streams of installations that share an account of the event server; empty: an installation of its own. */
  NATS_NAMESPACE: natsNamespace(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  /** Time limit for running requests after SIGTERM, in seconds. A process ends earlier, when its requests have ended. */
  PARLANCE_DRAIN_SECONDS: integer({ min: 1, max: 600, default: 120 }),
  /** Seconds until a client reconnects if only it cannot reach an engine. The process exits if reconnecting fails. */
  PARLANCE_WATCHDOG_SECONDS: integer({ min: 5, max: 3600, default: 30 }),
};

/** The settings of the connection to the event server, as options of `EventBus.connect`. */
export const busSettings = (
  config: { NATS_URL: string; NATS_REPLICAS: number; NATS_NAMESPACE?: string | undefined } & EngineTlsSettings,
) => ({
  url: config.NATS_URL,
  replicas: config.NATS_REPLICAS,
  installation: config.NATS_NAMESPACE,
  engineTls: engineTlsFiles(config),
});

/**
 * The files of mutual TLS; undefined: plaintext.
 * @throws ConfigError if only some of them are set
 */
export function tlsFiles(
  config: Partial<Record<(typeof tlsNames)[number], string | undefined>>,
): { certFile: string; keyFile: string; caFile: string } | undefined {
  const [certFile, keyFile, caFile] = tlsNames.map((name) => config[name]);
  if (certFile && keyFile && caFile) return { certFile, keyFile, caFile };
  if (!certFile && !keyFile && !caFile) return undefined;
  const missing = tlsNames.filter((name) => !config[name]);
  throw new ConfigError(
    `Wrong settings in the environment:\n  ${missing.join(', ')} must be set, because mutual TLS needs a certificate, its key and an authority`,
  );
}

const tlsNames = ['PARLANCE_TLS_CERT_FILE', 'PARLANCE_TLS_KEY_FILE', 'PARLANCE_TLS_CA_FILE'] as const;

/** Redis of the gateways, also used by processes that advance cache generations. */
export const redisSettings = {
  REDIS_URL: z.string('must be set').regex(/^rediss?:\/\//, 'must start with redis:// or rediss://'),
};

/** The store of a service: one database and credential each. */
export const mongoSettings = {
  MONGODB_URI: z.string('must be set').regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://'),
  /** Time limit of a query in milliseconds. Bulk and maintenance work have their own limits. */
  PARLANCE_QUERY_TIMEOUT_MS: integer({ min: 100, max: 600_000, default: 5_000 }),
};

/** Keys for secrets at rest, separated by commas: the first one seals, all of them open. */
export const encryptionSettings = {
  PARLANCE_ENCRYPTION_KEY: z
    .string('must be set')
    .refine(
      (text) => text.split(',').every((key) => Buffer.from(key, 'base64').length === 32),
      'must be 32 bytes in base64; several keys are separated by commas',
    ),
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

/** Public address of the site, without a trailing slash. */
export const siteAddress = () =>
  z.string().regex(/^https?:\/\/[^\s?#]*[^\s?#/]$/, 'must be an http or https address without a slash at the end');

export { z };
