import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Closes connections with their last response. Otherwise, a busy keep-alive client would keep the process running, and a
 * client that is cut off while sending cannot know whether its request was processed.
 */
export class ConnectionDrainer {
  private readonly open = new Set<ServerResponse>();
  private begun = false;
  private idle: () => void = () => undefined;

  constructor(server: Server) {
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
