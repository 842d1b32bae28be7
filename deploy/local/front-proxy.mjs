// Spreads requests over the gateways of `npm start -- --replicas gateway=N`: round robin, each request on a connection of its own.
// FRONT_LISTEN: host:port; FRONT_GATEWAYS: host:port of each gateway, separated by commas. A host that DNS gives several addresses
// counts as that many gateways.
import { lookup } from 'node:dns/promises';
import { createServer, request as send } from 'node:http';

/** Headers that belong to one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
/** How long a gateway may take to accept a connection, in milliseconds. */
const CONNECT_MS = 2000;

const listen = process.env.FRONT_LISTEN ?? '';
const gateways = (process.env.FRONT_GATEWAYS ?? '').split(',').filter(Boolean);
if (!/:\d+$/.test(listen) || gateways.length === 0) {
  process.stderr.write('FRONT_LISTEN must be host:port, FRONT_GATEWAYS a list of host:port\n');
  process.exit(2);
}

let turn = 0;

/** @param {string} address host:port */
const split = (address) => {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
};

/** Every gateway, beginning with the one whose turn it is. */
async function candidates() {
  const found = await Promise.all(
    gateways.map(async (gateway) => {
      const { host, port } = split(gateway);
      const addresses = await lookup(host, { all: true }).catch(() => []);
      return addresses.map(({ address }) => ({ host: address, port }));
    }),
  );
  const all = found.flat();
  const first = turn++ % Math.max(all.length, 1);
  return [...all.slice(first), ...all.slice(0, first)];
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

process.on('SIGTERM', () => server.close(() => process.exit(0)));
