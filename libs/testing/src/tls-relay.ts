import { readFileSync } from 'node:fs';
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer, type SecureContextOptions } from 'node:tls';
import type { CertificateFiles } from './certificates';

/** TLS proxy to a plaintext engine that requires client certificates, as a managed service does. */
export class TlsRelay {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private secured: SecureContextOptions;
  /** Connections with an accepted certificate. */
  accepted = 0;

  private constructor(
    private readonly target: URL,
    files: CertificateFiles,
  ) {
    this.secured = optionsOf(files);
    this.server = createTcpServer((socket) => {
      this.track(socket);
      if (target.protocol === 'nats:') this.greet(socket);
      else this.secure(socket, () => this.track(connect(this.address)));
    });
  }

  /**
   * @param url such as nats://127.0.0.1:4222
   * @param files the relay's certificate, and the authorities whose client certificates it accepts
   */
  static async start(url: string, files: CertificateFiles): Promise<TlsRelay> {
    const relay = new TlsRelay(new URL(url), files);
    await new Promise<void>((resolve) => relay.server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  /** The relayed address for clients with TLS. Credentials, path and options stay. */
  get url(): string {
    const { protocol, host, href } = this.target;
    const relayed = href.replace(host, `127.0.0.1:${(this.server.address() as AddressInfo).port}`);
    if (protocol === 'mongodb:') return `${relayed}${relayed.includes('?') ? '&' : '?'}tls=true`;
    const secured: Record<string, string> = { 'nats:': 'tls:', 'redis:': 'rediss:', 'http:': 'https:' };
    return relayed.replace(protocol, secured[protocol]!);
  }

  /** Uses other files for new connections, and closes the existing ones. */
  replace(files: CertificateFiles): void {
    this.secured = optionsOf(files);
    this.closeConnections();
  }

  closeConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.closeConnections();
    await closed;
  }

  private get address() {
    return { host: this.target.hostname, port: Number(this.target.port) };
  }

  /** NATS greets in plaintext before the handshake. */
  private greet(socket: Socket): void {
    const far = this.track(connect(this.address));
    far.once('data', (greeting) => {
      far.pause();
      socket.write(greeting.toString().replace(/^INFO \{/, 'INFO {"tls_required":true,'), () =>
        this.secure(socket, () => far),
      );
    });
  }

  private secure(socket: Socket, far: () => Socket): void {
    const server = createServer({ ...this.secured, requestCert: true, rejectUnauthorized: true }, (near) => {
      this.accepted++;
      const engine = far();
      this.track(near);
      near.pipe(engine).on('close', () => near.destroy());
      engine.pipe(near).on('close', () => engine.destroy());
    });
    // The server closes the connections that it rejects.
    server.on('tlsClientError', () => undefined);
    server.emit('connection', socket);
  }

  private track<S extends Socket>(socket: S): S {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => this.sockets.delete(socket));
    return socket;
  }
}

const optionsOf = ({ certFile, keyFile, caFile }: CertificateFiles): SecureContextOptions => ({
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
  ca: readFileSync(caFile),
});
