import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Ends connections with the answers that go through them. A client that keeps one busy would keep the process from ever ending, and
 * one that is cut off while it sends cannot know whether its request was carried out.
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
    // Before whoever answers.
    server.prependListener('request', track);
    server.prependListener('checkContinue', track);
  }

  /** Every answer from now on, and those that are being made, are the last ones of their connections. */
  begin(): void {
    this.begun = true;
    for (const response of this.open) last(response);
  }

  /** Called now and whenever an answer has ended: its connection may have been promised to go on. */
  whenIdle(close: () => void): void {
    // The connection is idle once the answer's own listeners are through.
    this.idle = () => setImmediate(close);
    close();
  }
}

function last(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
