import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes connections with their last response. Otherwise, a busy keep-alive client would keep the process running, and a
 * client that is cut off while sending cannot know whether its request was processed.
 */
export class ConnectionDrainer {
  private readonly open = new Set<ServerResponse>();
  private readonly connections = new Set<Socket>();
  private begun = false;
  private idle: () => void = () => undefined;
  private lastClosed: () => void = () => undefined;

  constructor(server: Server) {
    const track = (_request: IncomingMessage, response: ServerResponse): void => {
      this.open.add(response);
      response.once('close', () => {
        this.open.delete(response);
        this.idle();
      });
      if (this.begun) last(response);
    };
    server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => {
        this.connections.delete(socket);
        if (this.connections.size === 0) this.lastClosed();
      });
    });
    // Runs before the request handlers.
    server.prependListener('request', track);
    server.prependListener('checkContinue', track);
  }

  /** Marks all current and future responses as the last ones of their connections. */
  begin(): void {
    this.begun = true;
    for (const response of this.open) last(response);
  }

  /** Resolves when no connection is open, and after `maxMs` at the latest. */
  async unused(maxMs: number): Promise<void> {
    if (this.connections.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      this.lastClosed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Runs `close` now and after every response, because an earlier response may have announced keep-alive. */
  whenIdle(close: () => void): void {
    // The connection becomes idle after the response's own listeners.
    this.idle = () => setImmediate(close);
    close();
  }
}

function last(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
