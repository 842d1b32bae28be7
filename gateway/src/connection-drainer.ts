import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

/**
 * Closes connections with their last response. Otherwise, a busy keep-alive client would keep the process running, and a
 * client that is cut off while sending cannot know whether its request was processed.
 */
export class ConnectionDrainer {
  private readonly open = new Set<ServerResponse>();
  private begun = false;
  private idle: () => void = () => undefined;

  constructor(private readonly server: Server) {
    const track = (_request: IncomingMessage, response: ServerResponse): void => {
      this.open.add(response);
      response.once('close', () => {
        this.open.delete(response);
        this.idle();
      });
      if (this.begun) last(response);
    };
    // Runs before the request handlers.
    server.prependListener('request', track);
    server.prependListener('checkContinue', track);
  }

  /** Marks all current and future responses as the last ones of their connections. */
  begin(): void {
    this.begun = true;
    for (const response of this.open) last(response);
  }

  /**
   * Accepts no further connection and resolves when the last one is closed. A client learns from the `Connection: close` of its next
   * response that its connection ends; closing it earlier would fail a request that is on its way. Connections without requests are
   * closed after `patienceMs`.
   */
  async close(patienceMs: number): Promise<void> {
    const timer = setTimeout(() => this.closeIdle(), patienceMs);
    // The method of http.Server would close idle connections at once.
    await new Promise<void>((resolve) => NetServer.prototype.close.call(this.server, () => resolve()));
    clearTimeout(timer);
  }

  /** Now and after every response, because an earlier response may have announced keep-alive. */
  private closeIdle(): void {
    // The connection becomes idle after the response's own listeners.
    this.idle = () => setImmediate(() => this.server.closeIdleConnections());
    this.server.closeIdleConnections();
  }
}

function last(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
