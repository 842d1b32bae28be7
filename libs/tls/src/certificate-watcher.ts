import { gauge, logger } from '@parlance/telemetry';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';

/** Paths of PEM files. */
export interface CertificateFiles {
  /** Certificate with its intermediate certificates; only with its key. */
  certFile?: string | undefined;
  keyFile?: string | undefined;
  /** Certificates of trusted authorities. */
  caFile?: string | undefined;
}

/** What the files of a watcher are for. */
export interface WatcherOptions {
  /** Start of each log line. */
  name: string;
  /** Connections that the certificate is for, as a label of its metric. */
  connections: 'processes' | 'engines';
  minVersion?: SecureContextOptions['minVersion'];
  /** Authorities that are trusted besides those of the file; default none. */
  authorities?: () => readonly string[];
}

/** Interval of reading the files again, in milliseconds. */
const RELOAD_MS = 10_000;
/** Equal lines are logged once in this time, in milliseconds; clients retry every second. */
const LOG_AGAIN_MS = 60_000;
/** Keys of lines that are remembered for logging. */
const MAX_LOGGED = 1_000;

const expiry = gauge('parlance_tls_certificate_expiry_timestamp_seconds');

interface Contents {
  cert: Buffer | undefined;
  key: Buffer | undefined;
  ca: Buffer | undefined;
}

interface Loaded {
  /** Hash of the files. */
  hash: string;
  options: SecureContextOptions;
  context: SecureContext;
  /** End of the certificate's validity in milliseconds since 1970; undefined without a certificate. */
  validUntil: number | undefined;
}

/** Certificates from files, which are read again at intervals. Changed files are for new connections. */
export class CertificateWatcher {
  private loaded: Loaded;
  private readonly listeners = new Set<(options: SecureContextOptions) => void>();
  private readonly timer: NodeJS.Timeout;
  private readonly loggedAt = new Map<string, number>();

  /** @throws if the files are not usable */
  constructor(
    private readonly files: CertificateFiles,
    private readonly watcherOptions: WatcherOptions,
    reloadMs = RELOAD_MS,
  ) {
    const contents = read(files);
    this.loaded = this.load(contents, hashOf(contents));
    this.timer = setInterval(() => this.reload(), reloadMs);
    this.timer.unref();
  }

  /** The context of the current files. */
  get context(): SecureContext {
    return this.loaded.context;
  }

  get options(): SecureContextOptions {
    return this.loaded.options;
  }

  /** Reads the files again. If they are not usable, for instance because only one of them is replaced yet, the old ones stay. */
  reload(): void {
    const { name } = this.watcherOptions;
    try {
      const contents = read(this.files);
      const hash = hashOf(contents);
      if (hash === this.loaded.hash) return;
      this.loaded = this.load(contents, hash);
      const { options, validUntil } = this.loaded;
      for (const listener of this.listeners) listener(options);
      logger.info(
        validUntil === undefined ? {} : { validUntil: new Date(validUntil).toISOString() },
        `${name}: certificate files changed`,
      );
    } catch (error) {
      this.logSometimes('files', () =>
        logger.warn({ err: error }, `${name}: changed certificate files are not usable, the previous ones stay in use`),
      );
    }
  }

  onChange(listener: (options: SecureContextOptions) => void): void {
    this.listeners.add(listener);
  }

  /** Logs one of equal lines in a minute. */
  logSometimes(key: string, log: () => void): void {
    const now = Date.now();
    if (now - (this.loggedAt.get(key) ?? -Infinity) < LOG_AGAIN_MS) return;
    if (this.loggedAt.size >= MAX_LOGGED) this.loggedAt.clear();
    this.loggedAt.set(key, now);
    log();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** @throws if a file is no PEM, or if the key belongs to another certificate */
  private load({ cert, key, ca }: Contents, hash: string): Loaded {
    const { certFile, keyFile, caFile } = this.files;
    const { connections, minVersion, authorities } = this.watcherOptions;
    const validUntil = cert && Date.parse(parse(certFile, () => new X509Certificate(cert)).validTo);
    if (ca) parse(caFile, () => new X509Certificate(ca));
    const options: SecureContextOptions = {
      ...(cert && key ? { cert, key } : {}),
      // Without this option, Node.js trusts its own authorities.
      ...(ca ? { ca: [...(authorities?.() ?? []), ca] } : {}),
      ...(minVersion ? { minVersion } : {}),
    };
    let context: SecureContext;
    try {
      context = createSecureContext(options);
    } catch (error) {
      throw new Error(cert ? `TLS: ${keyFile} is not the key of ${certFile}` : `TLS: ${caFile} is not usable`, {
        cause: error,
      });
    }
    if (validUntil !== undefined) expiry.set({ connections }, validUntil / 1000);
    return { hash, options, context, validUntil };
  }
}

/** @throws if a file is unreadable */
function read({ certFile, keyFile, caFile }: CertificateFiles): Contents {
  const contentOf = (path: string | undefined): Buffer | undefined => {
    if (path === undefined) return undefined;
    try {
      return readFileSync(path);
    } catch (error) {
      throw new Error(`TLS: ${path} cannot be read`, { cause: error });
    }
  };
  return { cert: contentOf(certFile), key: contentOf(keyFile), ca: contentOf(caFile) };
}

function hashOf({ cert, key, ca }: Contents): string {
  const hash = createHash('sha256');
  for (const content of [cert, key, ca]) if (content) hash.update(content);
  return hash.digest('hex');
}

function parse(path: string | undefined, parsed: () => X509Certificate): X509Certificate {
  try {
    return parsed();
  } catch (error) {
    throw new Error(`TLS: ${path} is not a PEM certificate`, { cause: error });
  }
}
