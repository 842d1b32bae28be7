import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeAfter } from './connection-drainer';

/** Relative deviation of the ages, so that connections that were opened together do not end together. */
const JITTER = 0.2;

/**
 * Ends each connection with the first response after an age, which clients learn from `Connection: close`. Balancers that choose a
 * replica for a connection, such as a Service of Kubernetes, would otherwise give a new replica nothing while clients keep theirs.
 * @param ageMs in milliseconds
 * @param now clock in milliseconds
 */
export function limitConnectionAge(server: Server, ageMs: number, now = () => performance.now()): void {
  const ends = new WeakMap<Socket, number>();
  const check = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (now() >= (ends.get(socket) ?? Infinity)) closeAfter(response);
  };
  server.on('connection', (socket) => {
    ends.set(socket, now() + ageMs * (1 + JITTER * (Math.random() - 0.5)));
  });
  // Runs before the request handlers.
  server.prependListener('request', check);
  server.prependListener('checkContinue', check);
}
