// The gRPC call between the two processes of the bare server behind a hop: one connection, no accounts, deadlines, retries and limits.
// Messages are JSON as bytes. The service makes the JSON that the direct server would make, and the front sends it unread. A message of
// its own would be encoded, decoded and turned into JSON besides, so JSON shows the least that a hop can cost.
import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js';

/** @typedef {import('./store.mjs').BareStore} BareStore */

/** Channel options of both sides. */
const channelOptions = { 'grpc.enable_channelz': 0, 'grpc.enable_retries': 0 };

/** @param {keyof BareStore} name */
const method = (name) => ({
  path: `/parlance.bench.Bare/${name}`,
  requestStream: /** @type {const} */ (false),
  responseStream: /** @type {const} */ (false),
  requestSerialize: (/** @type {unknown[]} */ values) => Buffer.from(JSON.stringify(values)),
  requestDeserialize: (/** @type {Buffer} */ bytes) => JSON.parse(bytes.toString()),
  responseSerialize: (/** @type {string | Buffer} */ result) => Buffer.from(result),
  responseDeserialize: (/** @type {Buffer} */ bytes) => bytes,
});
const methods = { insert: method('insert'), page: method('page'), find: method('find'), edit: method('edit') };

/**
 * Serves a store on a free port of this machine.
 * @param {BareStore} store
 * @returns port, and `stop`, which closes all connections
 */
export async function serve(store) {
  const server = new Server(channelOptions);
  const handler = (name) => (call, respond) =>
    store[name](...call.request).then(
      (result) => respond(null, result),
      (error) => respond(error),
    );
  server.addService(methods, Object.fromEntries(Object.keys(methods).map((name) => [name, handler(name)])));
  /** @type {number} */
  const port = await new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return { port, stop: () => server.forceShutdown() };
}

/**
 * Connects to a served store.
 * @param {string} address host:port
 * @returns {BareStore & { close(): void }}
 */
export function connect(address) {
  const client = new Client(address, credentials.createInsecure(), channelOptions);
  /** @param {keyof BareStore} name @returns {(...values: any[]) => Promise<Buffer>} */
  const caller = (name) => {
    const { path, requestSerialize, responseDeserialize } = methods[name];
    return (...values) =>
      new Promise((resolve, reject) =>
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, values, (error, result) =>
          error ? reject(error) : resolve(/** @type {Buffer} */ (result)),
        ),
      );
  };
  return {
    insert: caller('insert'),
    page: caller('page'),
    find: caller('find'),
    edit: caller('edit'),
    close: () => client.close(),
  };
}
