import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** TCP proxy to an engine that can refuse, hang or close connections while other clients use the engine. */
export class TcpRelay {
  private readonly pairs = new Set<[Socket, Socket]>();
  private hanging = false;

  private constructor(
    private readonly target: URL,
    private server: Server,
    /** Listening port on 127.0.0.1. */
    readonly port: number,
  ) {}

  /** Starts a relay to an address such as nats://127.0.0.1:4222. */
  static async start(url: string): Promise<TcpRelay> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const relay = new TcpRelay(new URL(url), server, (server.address() as AddressInfo).port);
    relay.serve(server);
    return relay;
  }

  /** The relayed address with the relay's host and port. Credentials, path and options stay. */
  get url(): string {
    // The setters of `URL` ignore some schemes, such as mongodb.
    return this.target.href.replace(this.target.host, `127.0.0.1:${this.port}`);
  }

  private serve(server: Server): void {
    server.on('connection', (near) => {
      const far = connect({ host: this.target.hostname, port: Number(this.target.port) });
      const pair: [Socket, Socket] = [near, far];
      this.pairs.add(pair);
      const end = () => {
        this.pairs.delete(pair);
        near.destroy();
        far.destroy();
      };
      for (const [from, into] of [pair, [far, near] as const]) {
        from.on('data', (chunk) => into.write(chunk));
        from.on('close', end).on('error', end);
      }
      if (this.hanging) for (const socket of pair) socket.pause();
    });
  }

  /** Buffers all traffic until `resume`. Connections stay open. */
  hang(): void {
    this.hanging = true;
    for (const socket of [...this.pairs].flat()) socket.pause();
  }

  resume(): void {
    this.hanging = false;
    for (const socket of [...this.pairs].flat()) socket.resume();
  }

  /** Permanently stalls the open connections. New ones are relayed. */
  stallConnections(): void {
    for (const socket of [...this.pairs].flat()) socket.pause();
  }

  /** Closes all connections gracefully, as a stopping engine does. Accepts new ones. */
  closeConnections(): void {
    for (const [near] of this.pairs) near.end();
  }

  /** Destroys all connections and rejects new ones. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of [...this.pairs].flat()) socket.destroy();
    await closed;
  }

  /** Accepts connections again after a cut, at the same address. */
  async restart(): Promise<void> {
    this.server = createServer();
    this.serve(this.server);
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
  }
}
