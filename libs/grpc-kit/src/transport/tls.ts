// Mutual TLS between processes. The decision: docs/adr/0030-encrypt-calls-between-processes-with-mutual-tls.md.
import {
  CallCredentials,
  ChannelCredentials,
  ServerCredentials,
  type experimental,
  type Server,
  type ChannelOptions,
} from '@grpc/grpc-js';
import { logger } from '@parlance/telemetry';
import { CertificateWatcher } from '@parlance/tls';
import type { Http2SecureServer } from 'node:http2';
import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';

/** Paths of PEM files. */
export interface TlsFiles {
  /** Certificate of this process with its intermediate certificates. */
  certFile: string;
  keyFile: string;
  /** Certificates of the authorities that sign the certificates of all processes. */
  caFile: string;
}

/** Longest time between a TCP connection and the end of its handshake, in milliseconds. */
const HANDSHAKE_MS = 10_000;

/**
 * The certificate of this process and the authorities that it trusts. Changed files are used for new connections; existing ones
 * end at their maximum age (see client/balancing.ts).
 */
export class Tls extends CertificateWatcher {
  /** @throws if the files are not usable */
  constructor(files: TlsFiles, reloadMs?: number) {
    // Both sides are Parlance.
    super(files, { name: 'tls', connections: 'processes', minVersion: 'TLSv1.3' }, reloadMs);
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
        secureContext: tls.context,
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
