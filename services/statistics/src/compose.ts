import type { engineTlsFiles } from '@parlance/config';
import { dispatch, EventBus } from '@parlance/events';
import { backupHandlers, openTls, serve, type RunningServer, type TlsFiles } from '@parlance/grpc-kit';
import type { RunningProcess } from '@parlance/telemetry';
import { countedEvents } from './app/counted-events';
import { LiveSums } from './app/live-sums';
import { CounterReader } from './app/read-counters';
import { followSnapshots } from './consumers/follow-snapshots';
import { snapshotsConsumer, STORE_CONSUMER } from './consumers/store-snapshots';
import { makeHandlers } from './grpc/handlers';
import { makeModels } from './store/models';
import { openStore, StoreBackup } from '@parlance/store-kit';
import { backupRules } from './store/backup-rules';
import { MongoSnapshotStore } from './store/snapshot-store';

/** Settings of the service, from the environment or a test. */
export interface ComposeOptions {
  mongodbUri: string;
  /** Timeout of a store query, in milliseconds; default 5 000. */
  queryTimeoutMs?: number;
  natsUrl: string;
  natsReplicas?: number;
  natsNamespace?: string;
  grpcListen: string;
  serviceSecret: string;
  /** Mutual TLS between processes; absent: plaintext. */
  tls?: TlsFiles | undefined;
  /** Certificates for engines whose addresses use TLS. */
  engineTls?: ReturnType<typeof engineTlsFiles>;
  /** Separates systems that share one event server (tests). */
  namespace?: string;
}

/** Timeout of reading the first events at startup, in milliseconds. */
const CATCH_UP_MS = 60_000;

/** Composition root of the service. */
export async function compose(options: ComposeOptions): Promise<RunningProcess & { server: RunningServer }> {
  const mongo = await openStore(options.mongodbUri, makeModels, {
    queryTimeoutMs: options.queryTimeoutMs,
    engineTls: options.engineTls,
    migrations: [],
  });
  const bus = await EventBus.connect({
    url: options.natsUrl,
    service: 'statistics',
    replicas: options.natsReplicas,
    installation: options.natsNamespace,
    namespace: options.namespace,
    engineTls: options.engineTls,
  });
  const tls = openTls(options.tls);
  const store = new MongoSnapshotStore(mongo.models);
  await bus.consume(snapshotsConsumer(store));
  const live = new LiveSums(store);
  // The store holds everything up to this position; the follower reads the rest. Snapshots are idempotent, so an overlap is harmless.
  const reload = async () => {
    const after = await bus.handledUpTo(STORE_CONSUMER);
    await live.load();
    return after;
  };
  const handlers = followSnapshots(live);
  const follower = bus.follow({
    name: 'statistics-live',
    payloads: countedEvents,
    after: await reload(),
    apply: (event) => dispatch(handlers, event),
    restart: reload,
  });
  await follower.caughtUp(CATCH_UP_MS);
  const server = await serve({
    name: 'statistics',
    listen: options.grpcListen,
    serviceSecret: options.serviceSecret,
    tls,
    implementation: makeHandlers(new CounterReader(live, follower)),
    backup: backupHandlers(new StoreBackup(mongo.connection, backupRules)),
  });
  return {
    server,
    ready: { store: mongo.ping, events: () => bus.connected() },
    dependencies: { store: mongo.dependency, events: bus.dependency() },
    async drain(withinMs) {
      await server.drain(withinMs);
      await bus.drain();
    },
    async close() {
      await bus.close();
      await mongo.close();
    },
  };
}
