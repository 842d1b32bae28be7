import { connect } from 'node:http2';
import { PassThrough } from 'node:stream';

type Callback = (error: Error | null, duration: number, payload: Buffer) => void;

/** The used part of Node's HTTP/2 sessions, of servers and clients. */
interface Session {
  readonly closed: boolean;
  readonly destroyed: boolean;
  ping(...args: unknown[]): boolean;
}

let fixed = false;

/**
 * Lets calls end on a connection that is being replaced. At its maximum age, a connection gets a GOAWAY: it takes no new calls, and
 * Node refuses to send pings on it. @grpc/grpc-js takes the refused keepalive ping for a dead peer and destroys the connection, so
 * every call of more than about 25 seconds failed. The pings of such connections are answered here; their calls have deadlines.
 */
export function fixPings(): void {
  if (fixed) return;
  fixed = true;
  const session = connect('http://localhost', { createConnection: () => new PassThrough() });
  session.on('error', () => undefined);
  const prototype = Object.getPrototypeOf(Object.getPrototypeOf(session)) as Session;
  session.destroy();
  const { ping } = prototype;
  prototype.ping = function (this: Session, ...args: unknown[]) {
    if (!this.closed || this.destroyed) return ping.apply(this, args);
    const callback = args.find((arg): arg is Callback => typeof arg === 'function');
    if (callback) setImmediate(callback, null, 0, Buffer.alloc(8));
    return true;
  };
}
