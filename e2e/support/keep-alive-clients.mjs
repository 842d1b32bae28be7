// Clients with a keep-alive connection each that pause at random between requests, as connection pools of proxies and browsers do.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @param {object} options
 * @param {number} options.port
 * @param {number} options.count of clients
 * @param {number} options.pauseMs at most, between two requests of a client
 */
export function keepAliveClients({ port, count, pauseMs }) {
  let withdrawn = false;
  const answers = { kept: 0, closing: 0 };
  const failures = /** @type {string[]} */ ([]);
  const agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));

  const send = (agent) =>
    new Promise((resolve) => {
      const outgoing = request({ agent, host: '127.0.0.1', port, path: '/healthz' }, (response) => {
        answers[response.headers.connection === 'close' ? 'closing' : 'kept']++;
        response.resume().once('close', resolve);
      });
      outgoing.once('error', (error) => {
        failures.push(error.message);
        resolve(undefined);
      });
      outgoing.end();
    });

  const run = async (agent) => {
    // A client without an open connection turns to another process as soon as load balancers do.
    while (!withdrawn || Object.keys(agent.freeSockets).length > 0) {
      await send(agent);
      await pause(Math.random() * pauseMs);
    }
  };
  const ended = Promise.all(agents.map(run));
  return {
    answers,
    failures,
    /** From now on, no client opens a connection. Resolves when all connections have ended. */
    async withdraw() {
      withdrawn = true;
      await ended;
      for (const agent of agents) agent.destroy();
    },
  };
}
