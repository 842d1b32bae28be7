import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** The part of the driver's connection that Parlance touches; it is not public. */
export interface DriverConnection {
  /** `<monitor>` for a connection that watches a server. */
  id: number | '<monitor>';
  closed: boolean;
  /** The handshake is over. */
  established?: boolean;
  /** Option of the client. */
  monitorCommands: boolean;
  readonly shouldEmitAndLogCommand: boolean;
  socket: Socket;
  cleanup(error: Error): void;
  command(namespace: unknown, command: Record<string, unknown>, ...rest: unknown[]): Promise<unknown>;
}

/** Prototype of the driver's connections, of the copy that Mongoose uses. */
export function connectionPrototype(): DriverConnection {
  const fromMongoose = createRequire(require.resolve('mongoose'));
  return (fromMongoose('mongodb/lib/cmap/connection') as { Connection: { prototype: DriverConnection } }).Connection
    .prototype;
}
