// Mutual TLS between processes. The decision: docs/adr/0030-encrypt-calls-between-processes-with-mutual-tls.md.
import {
  CallCredentials,
  ChannelCredentials,
  ServerCredentials,
  type experimental,
  type Server,
  type ChannelOptions,
} from '@grpc/grpc-js';
import { gauge, logger } from '@parlance/telemetry';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Http2SecureServer } from 'node:http2';
import { isIP, type Socket } from 'node:net';
import { connect, createSecureContext, type SecureContext, type SecureContextOptions, type TLSSocket } from 'node:tls';

/** Paths of PEM files. */
export interface TlsFiles {
  /** Certificate of this process with its intermediate certificates. */
  certFile: string;
  keyFile: string;
  /** Certificates of the authorities that sign the certificates of all processes. */
  caFile: string;
}

/** Interval of reading the files again, in milliseconds. */
const RELOAD_MS = 10_000;
/** A rejected peer is logged once in this time, in milliseconds; clients retry every second. */
const LOG_AGAIN_MS = 60_000;
/** Longest time between a TCP connection and the end of its handshake, in milliseconds. */
const HANDSHAKE_MS = 10_000;
/** Rejected peers that are remembered for logging. */
const MAX_LOGGED = 1_000;

const expiry = gauge('parlance_tls_certificate_expiry_timestamp_seconds');

interface Loaded {
  /** Hash of the three files. */
  hash: string;
  options: SecureContextOptions;
  context: SecureContext;
  validUntil: number;
}

/** @throws if a file is unreadable or no PEM, or if the key belongs to another certificate */
function load({ certFile, keyFile, caFile }: TlsFiles): Loaded {
  const read = (path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new Error(`TLS: ${path} cannot be read`, { cause: error });
    }
  };
  const [cert, key, ca] = [read(certFile), read(keyFile), read(caFile)];
  const parse = <T>(what: string, parsed: () => T): T => {
    try {
      return parsed();
    } catch (error) {
      throw new Error(`TLS: ${what}`, { cause: error });
    }
  };
  const { validTo } = parse(`${certFile} is not a PEM certificate`, () => new X509Certificate(cert));
  parse(`${caFile} is not a PEM certificate`, () => new X509Certificate(ca));
  const options: SecureContextOptions = { cert, key, ca, minVersion: 'TLSv1.3' };
  return {
    hash: createHash('sha256').update(cert).update(key).update(ca).digest('hex'),
    options,
    context: parse(`${keyFile} is not the key of ${certFile}`, () => createSecureContext(options)),
    validUntil: Date.parse(validTo),
  };
}

/**
 * The certificate of this process and the authorities that it trusts. Changed files are used for new connections; existing ones
 * end at their maximum age (see client/balancing.ts).
 */
export class Tls {
  private loaded: Loaded;
  private readonly listeners = new Set<(options: SecureContextOptions) => void>();
  private readonly timer: NodeJS.Timeout;
  private readonly loggedAt = new Map<string, number>();

  /** @throws if the files are not usable */
  constructor(
    private readonly files: TlsFiles,
    reloadMs = RELOAD_MS,
  ) {
    this.loaded = load(files);
    expiry.set(this.loaded.validUntil / 1000);
    this.timer = setInterval(() => this.reload(), reloadMs);
    this.timer.unref();
  }

  get secureContext(): SecureContext {
    return this.loaded.context;
  }

  get options(): SecureContextOptions {
    return this.loaded.options;
  }

  /** Reads the files again. If they are not usable, for instance because only one of them is replaced yet, the old ones stay. */
  reload(): void {
    try {
      const loaded = load(this.files);
      if (loaded.hash === this.loaded.hash) return;
      this.loaded = loaded;
      expiry.set(loaded.validUntil / 1000);
      for (const listener of this.listeners) listener(loaded.options);
      logger.info({ validUntil: new Date(loaded.validUntil).toISOString() }, 'tls: certificate files changed');
    } catch (error) {
      this.logSometimes('files', () =>
        logger.warn({ err: error }, 'tls: changed certificate files are not usable, the previous ones stay in use'),
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
}

/** @returns undefined without files: plaintext */
export function openTls(files: TlsFiles | undefined): Tls | undefined {
  return files && new Tls(files);
}

/** Accepts clients with a certificate of the trusted authorities only. */
export class TlsServerCredentials extends ServerCredentials {
  constructor(tls: Tls) {
    super({ requestCert: true, rejectUnauthorized: true, handshakeTimeout: HANDSHAKE_MS }, tls.options);
    tls.onChange((options) => this.updateSecureContextOptions(options));
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}

/** Logs clients that the TLS layer rejects. Called after the server listens: grpc-js gives no access to its HTTP/2 servers. */
export function logRejectedClients(server: Server, tls: Tls): void {
  const { http2Servers } = server as unknown as { http2Servers: Map<Http2SecureServer, unknown> };
  for (const http2Server of http2Servers.keys())
    http2Server.on('tlsClientError', (error: Error & { code?: string; reason?: string }, socket: TLSSocket) => {
      const { remoteAddress: client } = socket;
      // The types say Error, Node assigns the code.
      const code = socket.authorizationError as unknown as string | undefined;
      const reason = code ?? error.reason ?? error.code ?? error.message;
      // The client closed the connection: it logs why, or it is a probe of the port.
      if (reason === 'ECONNRESET') return;
      tls.logSometimes(`${client} ${reason}`, () =>
        logger.warn({ client, reason }, `tls: client rejected: ${explain(reason)}`),
      );
    });
}

/** Presents this process's certificate to servers, and checks theirs and the name in it. */
export class TlsChannelCredentials extends ChannelCredentials {
  /** @param address as of `createClient` */
  constructor(
    private readonly tls: Tls,
    private readonly address: string,
  ) {
    super();
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(
    _target: unknown,
    _options: ChannelOptions,
    callCredentials?: CallCredentials,
  ): experimental.SecureConnector {
    return {
      connect: (socket) => this.connect(socket),
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => callCredentials ?? CallCredentials.createEmpty(),
      destroy: () => undefined,
    };
  }

  private connect(socket: Socket): Promise<experimental.SecureConnectResult> {
    const { address, tls } = this;
    // Of a list of addresses, the certificate of each server must name its own one.
    const host = address.includes(',')
      ? (socket.remoteAddress ?? '')
      : address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
    const logRejection = (error: Error & { code?: string; reason?: string }) => {
      const reason = error.code ?? error.message;
      // Connections may be reset for other reasons, and the client connects again.
      if (!/^(ERR_SSL|ERR_TLS|CERT_|UNABLE_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME)/.test(reason)) return;
      tls.logSometimes(`${address} ${reason}`, () =>
        logger.warn({ err: error, address, reason }, `tls: connection failed: ${explain(reason)}`),
      );
    };
    return new Promise((resolve, reject) => {
      const secured = connect({
        socket,
        host,
        ...(isIP(host) ? {} : { servername: host }),
        secureContext: tls.secureContext,
        ALPNProtocols: ['h2'],
      });
      const closed = () => reject(new Error('the connection was closed during the TLS handshake'));
      const timer = setTimeout(() => secured.destroy(new Error('the TLS handshake timed out')), HANDSHAKE_MS);
      // With TLS 1.3, a server rejects the certificate of its client after the client's handshake.
      secured.on('error', (error) => {
        logRejection(error);
        reject(error);
      });
      secured.once('close', () => {
        clearTimeout(timer);
        closed();
      });
      secured.once('secureConnect', () => {
        clearTimeout(timer);
        resolve({ socket: secured, secure: true });
      });
    });
  }
}

const explanations: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by an authority of PARLANCE_TLS_CA_FILE',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is not signed by an authority of PARLANCE_TLS_CA_FILE',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not signed by an authority of PARLANCE_TLS_CA_FILE',
  CERT_SIGNATURE_FAILURE: 'its certificate is not signed by an authority of PARLANCE_TLS_CA_FILE',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by an authority of PARLANCE_TLS_CA_FILE',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by an authority of PARLANCE_TLS_CA_FILE',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate does not name the host of the address',
  'peer did not return a certificate': 'it has no certificate',
  'http request': 'it does not use TLS',
  'wrong version number': 'it does not use TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it requires a certificate of this process',
};

const explain = (reason: string): string => explanations[reason] ?? reason;
