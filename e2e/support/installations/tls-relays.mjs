// Engines behind mutual TLS, as a managed service offers them.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer as createPlainServer } from 'node:net';
import { createServer } from 'node:tls';

/**
 * Starts TLS servers that require client certificates and forward to plaintext engines.
 * @param {Record<string, string>} engines MONGODB_URI, NATS_URL, REDIS_URL, S3_ENDPOINT
 * @param {{certFile: string, keyFile: string, caFile: string}} files `caFile`: the authority of client certificates
 */
export async function startTlsRelays(engines, { certFile, keyFile, caFile }) {
  const secured = {
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
    ca: readFileSync(caFile),
    requestCert: true,
    rejectUnauthorized: true,
  };
  const sockets = new Set();
  const track = (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    return socket;
  };
  const join = (near, far) => {
    near.pipe(far).on('close', () => near.destroy());
    far.pipe(near).on('close', () => far.destroy());
  };
  const counts = /** @type {Record<string, number>} */ ({});
  const targetOf = (url) => {
    const { hostname: host, port } = new URL(url.replace(/^[a-z]+:/, 'http:'));
    return { host, port: Number(port) };
  };
  const servers = {
    MONGODB_URI: (target) => createServer(secured, (near) => join(track(near), track(connect(target)))),
    REDIS_URL: (target) => createServer(secured, (near) => join(track(near), track(connect(target)))),
    S3_ENDPOINT: (target) => createServer(secured, (near) => join(track(near), track(connect(target)))),
    // NATS greets in plaintext before the handshake.
    NATS_URL: (target) =>
      createPlainServer((socket) => {
        const far = track(connect(target));
        track(socket);
        far.once('data', (greeting) => {
          far.pause();
          socket.write(greeting.toString().replace(/^INFO \{/, 'INFO {"tls_required":true,'), () => {
            // A server checks the client certificate; a TLS socket alone does not.
            const server = createServer(secured, (near) => {
              join(track(near), far);
              far.resume();
            });
            server.emit('connection', socket);
          });
        });
      }),
  };
  const started = await Promise.all(
    Object.entries(servers).map(async ([name, make]) => {
      const server = make(targetOf(engines[name]));
      server.on('connection', () => (counts[name] = (counts[name] ?? 0) + 1));
      await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve())));
      return { name, server, port: /** @type {import('node:net').AddressInfo} */ (server.address()).port };
    }),
  );
  const relayed = (name) => {
    const { host, port } = targetOf(engines[name]);
    return engines[name].replace(`${host}:${port}`, `127.0.0.1:${started.find((each) => each.name === name)?.port}`);
  };
  const mongo = relayed('MONGODB_URI');
  return {
    environment: {
      ...engines,
      MONGODB_URI: `${mongo}${mongo.includes('?') ? '&' : '?'}tls=true`,
      NATS_URL: relayed('NATS_URL').replace(/^nats:/, 'tls:'),
      REDIS_URL: relayed('REDIS_URL').replace(/^redis:/, 'rediss:'),
      S3_ENDPOINT: relayed('S3_ENDPOINT').replace(/^http:/, 'https:'),
    },
    /** Connections by engine. */
    counts,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(started.map(({ server }) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
