import { patchConnections } from './driver';

/**
 * Works around a race of the driver (7.8, 7.9). `Connection.writeCommand` waits for `drain` or `error` when `socket.write` returns
 * false, but a socket that the server closed emits only `close`. A command written between the end of the stream and `close` never
 * settles. The monitor of a polled server (FerretDB, DocumentDB) then never checks again, so the client stays disconnected.
 * The fix emits `error` on the socket when the connection closes; the connection itself ignores errors after its close.
 */
export function fixDriver(): void {
  patchConnections('parlance.driver-fix', (prototype) => {
    const { cleanup } = prototype;
    prototype.cleanup = function (error) {
      const wasClosed = this.closed;
      cleanup.call(this, error);
      if (!wasClosed) this.socket.emit('error', error);
    };
  });
}
