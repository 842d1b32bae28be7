import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Without an open connection and without a new one for this time, no client uses the process any more. In milliseconds. */
const QUIET_MS = 200;
const POLL_MS = 25;
/** How long a connection may stay without a first request after the listening socket is closed, in milliseconds. */
const SILENT_MS = 1_000;

/** Durations since SIGTERM, in milliseconds. */
export interface DrainTimes {
  /** Load balancers stop sending new connections within this time. */
  acceptMs: number;
  /** Clients with keep-alive connections send their next request within this time. */
  idleMs: number;
}

/**
 * Stops an HTTP server without failing a request. Each response tells its client that the connection ends. Closing a connection that a
 * client is about to use would fail the request: the client cannot know whether it was processed. Closing the listening socket resets
 * connections that the kernel has accepted and the process has not. So both come last.
 */
export class ConnectionDrainer {
  private readonly responses = new Set<ServerResponse>();
  private readonly connections = new Set<Socket>();
  private accepted = 0;
  private acceptedAt = 0;
  private begunAt = 0;
  private idle: () => void = () => undefined;

  constructor(private readonly server: Server) {
    const track = (_request: IncomingMessage, response: ServerResponse): void => {
      this.responses.add(response);
      response.once('close', () => {
        this.responses.delete(response);
        this.idle();
      });
      if (this.begunAt > 0) closeAfter(response);
    };
    // Runs before the request handlers.
    server.prependListener('request', track);
    server.prependListener('checkContinue', track);
    server.on('connection', (socket) => {
      this.accepted++;
      this.acceptedAt = performance.now();
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
  }

  /**
   * Marks all current and future responses as the last ones of their connections, waits until clients use other processes, and
   * resolves when the last running request has ended.
   */
  async drain({ acceptMs, idleMs }: DrainTimes): Promise<void> {
    this.begunAt = performance.now();
    for (const response of this.responses) closeAfter(response);
    await pause(acceptMs);
    while (!this.isQuiet() && performance.now() - this.begunAt < idleMs) await pause(POLL_MS);
    await this.acceptWaiting();
    await this.close();
  }

  private isQuiet(): boolean {
    return this.connections.size === 0 && performance.now() - this.acceptedAt >= QUIET_MS;
  }

  /** Accepts the connections that wait in the kernel: they arrived while the process was busy or had no processor. */
  private async acceptWaiting(): Promise<void> {
    let before;
    do {
      before = this.accepted;
      // Continues directly after the event loop has accepted connections.
      await nextTurn();
    } while (this.accepted > before);
  }

  private async close(): Promise<void> {
    const silent = setTimeout(() => {
      for (const socket of this.connections) if (socket.bytesRead === 0) socket.destroy();
    }, SILENT_MS);
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      // After every response, because an earlier response may have announced keep-alive. The connection becomes idle after the
      // response's own listeners.
      this.idle = () => setImmediate(() => this.server.closeIdleConnections());
    });
    clearTimeout(silent);
  }
}

/** Makes a response the last one of its connection, unless its headers have been sent. */
export function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
