import { randomBytes } from 'node:crypto';
import { CallerVerifier, serviceCaller, signCaller, type Caller } from '@parlance/access';
import { EventBus, type IncomingEvent, type PayloadName } from '@parlance/events';
import { createClient, type Client } from '@parlance/grpc-kit';
import { engines } from '@parlance/testing';
import { createConnection, type Connection } from 'mongoose';
import { compose, type IdentityService } from '../../src/compose';
import { readConfig } from '../../src/config';

export const serviceSecret = 'a secret for tests of thirty-two characters';

/** A running identity service with its own store and event streams. */
export interface Running {
  service: IdentityService;
  identity: Client<'identity'>;
  /** The operator's options for calls. */
  operator: { as: string; clientAddress: string };
  bus: EventBus;
  /** Direct access to the store. */
  store: Connection;
  redisUrl: string;
  address: string;
  /** Starts another replica on the same store. */
  replica(): Promise<IdentityService>;
  stop(): Promise<void>;
}

/**
 * @param more further settings
 * @param now the service's clock
 */
export async function start(more: Record<string, string> = {}, now?: () => number): Promise<Running> {
  const { namespace, mongoUri, natsUrl, redisUrl } = await engines();
  const mongodbUri = mongoUri();
  const config = readConfig({
    MONGODB_URI: mongodbUri,
    NATS_URL: natsUrl,
    REDIS_URL: redisUrl,
    PARLANCE_SERVICE_SECRET: serviceSecret,
    PARLANCE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    CATALOG_ADDRESS: '127.0.0.1:1',
    GRPC_LISTEN: '127.0.0.1:0',
    ...more,
  });
  const replica = () => compose(config, namespace, now);
  const service = await replica();
  const bus = await EventBus.connect({ url: natsUrl, service: 'test', namespace });
  const address = `127.0.0.1:${service.port}`;
  const identity = createClient('identity', address);
  const store = await createConnection(mongodbUri).asPromise();
  return {
    service,
    identity,
    operator: { as: signCaller(serviceCaller('operator'), serviceSecret, 600_000), clientAddress: '203.0.113.9' },
    bus,
    store,
    redisUrl,
    address,
    replica,
    async stop() {
      identity.close();
      await bus.close();
      await service.drain(15_000);
      await store.dropDatabase();
      await store.close();
      await service.close();
    },
  };
}

/** The current caller of a token. */
export async function principalOf(running: Running, token: string): Promise<Caller> {
  const { signedPrincipal } = await running.identity.authenticate({ token }, running.operator);
  return new CallerVerifier(serviceSecret).verify(signedPrincipal);
}

/** Collects events from the stream; `next` returns the first match, including earlier events. */
export class Listener {
  private readonly seen: IncomingEvent[] = [];
  private waiting: { fits: (event: IncomingEvent) => boolean; resolve: (event: IncomingEvent) => void }[] = [];

  static async on(bus: EventBus, payloads: readonly PayloadName[]): Promise<Listener> {
    const listener = new Listener();
    await bus.consume({
      durable: `test-${randomBytes(6).toString('hex')}`,
      payloads,
      handle: (events) => {
        for (const event of events) listener.take(event);
        return Promise.resolve();
      },
    });
    return listener;
  }

  private take(event: IncomingEvent): void {
    this.seen.push(event);
    this.waiting = this.waiting.filter((w) => {
      if (!w.fits(event)) return true;
      w.resolve(event);
      return false;
    });
  }

  next(fits: (event: IncomingEvent) => boolean): Promise<IncomingEvent> {
    const known = this.seen.find(fits);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => this.waiting.push({ fits, resolve }));
  }
}
