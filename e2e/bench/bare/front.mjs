// The express front of the bare server, which both modes share.
import { once } from 'node:events';
import express from 'express';

/**
 * Listens on a free port of this machine.
 * @param {import('./store.mjs').BareStore} store
 * @returns port, and `stop`, which closes all connections
 */
export async function listen(store) {
  const app = express();
  app.use(express.json({ limit: '10mb' }));
  /** @param {(request: express.Request) => Promise<string | Buffer>} resultOf */
  const json = (resultOf) => async (request, response) =>
    void response.set('Content-Type', 'application/json').send(await resultOf(request));
  app.post(
    '/units',
    json(({ body }) => store.insert(body)),
  );
  app.get(
    '/units',
    json(({ query }) => store.page((Number(query.page) - 1) * 100, Number(query.size ?? 100))),
  );
  app.get(
    '/units/:id',
    json(({ params }) => store.find(Number(params.id))),
  );
  app.patch(
    '/units/:id',
    json(({ params, body }) => store.edit(Number(params.id), { target: body.target, state: body.state })),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    port,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
