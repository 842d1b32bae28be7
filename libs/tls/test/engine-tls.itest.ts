// Clients of engines that require client certificates.
import { checkNats, EventBus } from '@parlance/events';
import { checkS3, S3ObjectStore } from '@parlance/object-store';
import { connectRedis } from '@parlance/redis';
import { checkMongo, connectMongo } from '@parlance/store-kit';
import { engines, TestAuthority, TlsRelay, until, type CertificateFiles } from '@parlance/testing';
import { engineTls } from '@parlance/tls';
import { copyFileSync } from 'node:fs';

/** Authority of the engines, and at first of their clients. */
const authority = new TestAuthority();
/** Authority of clients after the change. */
const successor = new TestAuthority();
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => [authority, successor].forEach((each) => each.remove()));

interface Client {
  /** A question that needs a connection. Rejects or returns false if there is none. */
  asks: () => Promise<unknown>;
  close: () => unknown;
}

interface Engine {
  url: () => Promise<string>;
  /** A client that keeps its options for all of its connections. */
  open: (url: string, files: CertificateFiles) => Promise<Client>;
  /** A connection of its own. Rejects or returns false without one. */
  check: (url: string, files?: Partial<CertificateFiles>) => Promise<unknown>;
}

async function askRedis(url: string, files?: Partial<CertificateFiles>): Promise<unknown> {
  const redis = connectRedis(url, () => undefined, files);
  try {
    // A server that closes the connection after the handshake causes no error.
    const closed = (reject: (error: Error) => void) => () => reject(new Error('the server closed the connection'));
    return await new Promise((resolve, reject) => redis.once('ready', resolve).once('close', closed(reject)));
  } finally {
    redis.disconnect();
  }
}

async function s3(endpoint: string, tls: Partial<CertificateFiles> | undefined) {
  return { ...(await engines()).s3, endpoint: endpoint.replace(/\/$/, ''), engineTls: tls };
}

const clients: Record<string, Engine> = {
  MongoDB: {
    url: async () => (await engines()).mongoUri('engine_tls'),
    async open(url, files) {
      // Operations of the test fail in good time without a connection.
      const { connection, ping } = await connectMongo(url, { engineTls: files, serverSelectionTimeoutMS: 2_000 });
      return { asks: ping, close: () => connection.close() };
    },
    check: checkMongo,
  },
  NATS: {
    url: async () => (await engines()).natsUrl,
    async open(url, files) {
      const { namespace } = await engines();
      const bus = await EventBus.connect({ url, service: 'test', namespace: `${namespace}tls`, engineTls: files });
      return { asks: () => bus.connected(), close: () => bus.close() };
    },
    check: checkNats,
  },
  Redis: {
    url: async () => (await engines()).redisUrl,
    async open(url, files) {
      const redis = connectRedis(url, () => undefined, files);
      await new Promise((resolve) => redis.once('ready', resolve));
      return { asks: () => redis.ping(), close: () => redis.disconnect() };
    },
    check: askRedis,
  },
  S3: {
    url: async () => (await engines()).s3.endpoint,
    async open(url, files) {
      const store = new S3ObjectStore(await s3(url, files));
      await store.ensureBucket();
      return { asks: () => store.reachable(), close: () => undefined };
    },
    check: async (url, files) => checkS3(await s3(url, files)),
  },
};

async function startRelay({ url }: Engine, files: CertificateFiles): Promise<TlsRelay> {
  const relay = await TlsRelay.start(await url(), files);
  closing.push(() => relay.stop());
  return relay;
}

const answered = ({ asks }: Client): Promise<boolean> =>
  asks().then(
    (answer) => answer !== false,
    () => false,
  );

describe.each(Object.entries(clients))('the client of %s', (name, engine) => {
  it(`${name} rejects a connection without a client certificate, and accepts one with it`, async () => {
    const relay = await startRelay(engine, authority.issue('engine'));
    const own = authority.issue('own');
    await expect(engine.check(relay.url, { caFile: authority.caFile })).rejects.toThrow();
    await expect(engine.check(relay.url, { ...successor.issue('stranger'), caFile: own.caFile })).rejects.toThrow();
    expect(relay.accepted).toBe(0);
    await engine.check(relay.url, own);
    expect(relay.accepted).toBeGreaterThan(0);
  });

  it(`${name} is rejected if its certificate is of an unknown authority`, async () => {
    const relay = await startRelay(engine, { ...successor.issue('engine'), caFile: authority.caFile });
    await expect(engine.check(relay.url, authority.issue('own'))).rejects.toThrow();
    expect(relay.accepted).toBe(0);
  });

  it(`an existing client of ${name} reconnects with a renewed certificate`, async () => {
    const server = authority.issue('engine');
    const relay = await startRelay(engine, server);
    const own = authority.issue(`renewed-${name}`);
    const client = await engine.open(relay.url, own);
    closing.push(() => client.close());
    expect(await answered(client)).toBe(true);
    relay.replace({ ...server, caFile: successor.caFile });
    relay.accepted = 0;
    await until(async () => !(await answered(client)));
    expect(relay.accepted).toBe(0);
    const renewed = successor.issue('renewed');
    copyFileSync(renewed.certFile, own.certFile);
    copyFileSync(renewed.keyFile, own.keyFile);
    engineTls(own).reload();
    await until(() => answered(client));
    expect(relay.accepted).toBeGreaterThan(0);
  });
});
