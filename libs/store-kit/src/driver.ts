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

/** Changes the driver's connections once in this process, of the copy that Mongoose uses. @param name of the change */
export function patchConnections(name: string, patch: (prototype: DriverConnection) => void): void {
  const fromMongoose = createRequire(require.resolve('mongoose'));
  const { Connection } = fromMongoose('mongodb/lib/cmap/connection') as { Connection: { prototype: DriverConnection } };
  const prototype = Connection.prototype as DriverConnection & Record<symbol, boolean>;
  const mark = Symbol.for(name);
  if (prototype[mark]) return;
  prototype[mark] = true;
  patch(prototype);
}
