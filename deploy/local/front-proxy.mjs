// Spreads requests over the gateways of `npm start -- --replicas gateway=N`: round robin, each request on a connection of its own.
// A gateway that is unready, because it stops or misses services, gets requests only if no other one is ready.
// FRONT_LISTEN: host:port; FRONT_GATEWAYS: host:port of each gateway, separated by commas. A host that DNS gives several addresses
// counts as that many gateways.
import { lookup } from 'node:dns/promises';
import { createServer, request as send } from 'node:http';

/** Headers that belong to one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
/** How long a gateway may take to accept a connection, in milliseconds. */
const CONNECT_MS = 2000;
/** Time between two readiness checks, in milliseconds. A gateway that stops accepts connections for a second at least. */
const CHECK_MS = 300;

const listen = process.env.FRONT_LISTEN ?? '';
const gateways = (process.env.FRONT_GATEWAYS ?? '').split(',').filter(Boolean);
if (!/:\d+$/.test(listen) || gateways.length === 0) {
  process.stderr.write('FRONT_LISTEN must be host:port, FRONT_GATEWAYS a list of host:port\n');
  process.exit(2);
}

let turn = 0;
/** host:port of the gateways that answered the last readiness check with 503. */
const unready = new Set();
/** host:port of the gateways that are being asked. */
const checking = new Set();

/** @param {string} address host:port */
const split = (address) => {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
};

/** @returns {Promise<{host: string, port: number}[]>} */
async function addresses() {
  const found = await Promise.all(
    gateways.map(async (gateway) => {
      const { host, port } = split(gateway);
      const all = await lookup(host, { all: true }).catch(() => []);
      return all.map(({ address }) => ({ host: address, port }));
    }),
  );
  return found.flat();
}

const nameOf = ({ host, port }) => `${host}:${port}`;

/** Every gateway, beginning with the one whose turn it is; unready ones at the end. */
async function candidates() {
  const all = await addresses();
  const first = turn++ % Math.max(all.length, 1);
  const inTurn = [...all.slice(first), ...all.slice(0, first)];
  const isUnready = (place) => unready.has(nameOf(place));
  return [...inTurn.filter((place) => !isUnready(place)), ...inTurn.filter(isUnready)];
}

/** Asks whether a gateway is ready. One without an answer is passed over when it does not accept connections. */
async function checkReadiness(place) {
  const name = nameOf(place);
  if (checking.has(name)) return;
  checking.add(name);
  const url = `http://${place.host.includes(':') ? `[${place.host}]` : place.host}:${place.port}/readyz`;
  try {
    const response = await fetch(url, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(CONNECT_MS),
    });
    await response.arrayBuffer();
    if (response.status === 503) unready.add(name);
    else unready.delete(name);
  } catch {
    unready.delete(name);
  } finally {
    checking.delete(name);
  }
}

/** @param {import('node:http').IncomingMessage} request */
function headersFor(request) {
  const headers = { ...request.headers };
  for (const name of HOP_BY_HOP) delete headers[name];
  const client = request.socket.remoteAddress ?? '';
  const before = headers['x-forwarded-for'];
  headers['x-forwarded-for'] = before ? `${before}, ${client}` : client;
  return headers;
}

/**
 * Connects to the first gateway that accepts.
 * @param {{host: string, port: number}[]} places
 * @returns {Promise<import('node:http').ClientRequest>} of which nothing is sent yet
 */
async function connect(places, options) {
  let failure = new Error('no gateway has an address');
  for (const place of places) {
    const outgoing = send({ ...options, ...place, agent: false });
    const connected = await new Promise((resolve) => {
      const timer = setTimeout(() => outgoing.destroy(new Error('the connection took too long')), CONNECT_MS);
      outgoing.on('error', (error) => {
        clearTimeout(timer);
        failure = error;
        resolve(false);
      });
      outgoing.once('socket', (socket) =>
        socket.once('connect', () => {
          clearTimeout(timer);
          resolve(true);
        }),
      );
    });
    if (connected) return outgoing;
  }
  throw failure;
}

// As in the gateway: clients reuse idle connections, and a request on one that just ended would fail.
const limits = { requestTimeout: 0, headersTimeout: 30_000, maxHeaderSize: 65_536, keepAliveTimeout: 65_000 };
const server = createServer(limits, async (request, response) => {
  let outgoing;
  try {
    const options = { method: request.method, path: request.url, headers: headersFor(request) };
    outgoing = await connect(await candidates(), options);
  } catch (error) {
    response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' });
    response.end(`No gateway accepts connections: ${error.message}\n`);
    return;
  }
  response.on('close', () => outgoing.destroy());
  // After the whole response the client's connection stays open, whatever happens to the gateway's.
  outgoing.on('error', () => response.writableEnded || response.destroy());
  outgoing.on('continue', () => response.writeContinue());
  outgoing.on('response', (answer) => {
    const headers = answer.rawHeaders.flatMap((name, i, all) =>
      i % 2 === 0 && !HOP_BY_HOP.includes(name.toLowerCase()) ? [name, all[i + 1]] : [],
    );
    response.writeHead(answer.statusCode ?? 502, headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  request.pipe(outgoing);
});
// The gateway decides whether it wants a body that its client announced.
server.on('checkContinue', (request, response) => server.emit('request', request, response));
server.listen(split(listen));

const checks = setInterval(async () => {
  for (const place of await addresses()) void checkReadiness(place);
}, CHECK_MS);
process.on('SIGTERM', () => {
  clearInterval(checks);
  server.close(() => process.exit(0));
});
