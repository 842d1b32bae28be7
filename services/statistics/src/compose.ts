import { EventBus } from '@parlance/events';
import { serve, type RunningServer } from '@parlance/grpc-kit';
import type { RunningProcess } from '@parlance/telemetry';
import { countedEvents } from './app/counted-events';
import { LiveSums } from './app/live-sums';
import { CounterReader } from './app/read-counters';
import { followSnapshots } from './consumers/follow-snapshots';
import { STORE_BATCH, STORE_CONSUMER, STORE_GATHER_MS, storeSnapshots } from './consumers/store-snapshots';
import { handlers } from './grpc/handlers';
import { connectStore } from './store/connect';
import { MongoSnapshotStore } from './store/snapshot-store';

/** What the parts are made from; the environment's settings, or a test's. */
export interface ComposeOptions {
  mongodbUri: string;
  /** How long a query may keep the store busy, in milliseconds; default 5 000. */
  queryTimeoutMs?: number;
  natsUrl: string;
  natsReplicas?: number;
  grpcListen: string;
  serviceSecret: string;
  /** Separates systems that share one event server (tests). */
  namespace?: string;
}

/** How long the first events may take to be read at start, in milliseconds. */
const CATCH_UP_MS = 60_000;

/** Puts the service together. */
export async function compose(options: ComposeOptions): Promise<RunningProcess & { server: RunningServer }> {
  const mongo = await connectStore(options.mongodbUri, options.queryTimeoutMs);
  const bus = await EventBus.connect({
    url: options.natsUrl,
    service: 'statistics',
    replicas: options.natsReplicas,
    namespace: options.namespace,
  });
  const store = new MongoSnapshotStore(mongo.models);
  await bus.consume({
    durable: STORE_CONSUMER,
    payloads: countedEvents,
    batch: STORE_BATCH,
    gatherMs: STORE_GATHER_MS,
    handle: storeSnapshots(store),
  });
  const live = new LiveSums(store);
  // Everything up to this place is in the store; what comes later is followed. Where the two overlap nothing is counted twice.
  const reload = async () => {
    const after = await bus.handledUpTo(STORE_CONSUMER);
    await live.load();
    return after;
  };
  const follower = bus.follow({
    payloads: countedEvents,
    after: await reload(),
    apply: (event) => followSnapshots(live.current, event),
    restart: reload,
  });
  await follower.caughtUp(CATCH_UP_MS);
  const server = await serve({
    name: 'statistics',
    listen: options.grpcListen,
    serviceSecret: options.serviceSecret,
    implementation: handlers(new CounterReader(live, follower)),
  });
  return {
    server,
    ready: { store: mongo.ping, events: () => bus.connected() },
    dependencies: { store: mongo.dependency, events: bus.dependency() },
    async drain() {
      await server.drain();
      await bus.drain();
    },
    async close() {
      await bus.close();
      await mongo.close();
    },
  };
}
