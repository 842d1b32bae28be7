import type { engineTlsFiles } from '@parlance/config';
import { EventBus, OutboxRelay } from '@parlance/events';
import {
  backupHandlers,
  createClient,
  openTls,
  ownCaller,
  serve,
  type RunningServer,
  type TlsFiles,
} from '@parlance/grpc-kit';
import { SecretBox } from '@parlance/secrets';
import type { RunningProcess } from '@parlance/telemetry';
import { IdSequences } from '@parlance/store-kit';
import { makeCatalogClient } from './clients/catalog-client';
import { makeHistoryClient } from './clients/translation-client';
import { Feed } from './app/outbound/feed';
import { poster } from './app/outbound/post';
import { Sender } from './app/outbound/sender';
import { SOURCE } from './app/start-pulls';
import { changesConsumer } from './consumers/changes';
import { removeWebhooks, STRUCTURE_CONSUMER } from './consumers/structure';
import { makeHandlers } from './grpc/handlers';
import type { CatalogClient, HistoryClient } from './domain/ports';
import { makeModels, type Models } from './store/models';
import { openStore, ProjectRestore, StoreBackup } from '@parlance/store-kit';
import { backupRules } from './store/backup-rules';
import { projectRules } from './store/project-rules';
import { MongoDeliveryStore } from './store/delivery-store';
import { MongoInboundStore } from './store/inbound-store';
import { MongoSubscriptionStore } from './store/subscription-store';

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
  /** 32 bytes in base64 each, separated by commas; the first one seals. */
  encryptionKey: string;
  catalogAddress: string;
  translationAddress: string;
  hooksEnabled: boolean;
  /** Triggers of a component within this time share one entry in its history, in milliseconds. */
  mergeMs: number;
  /** Maximum webhooks of a project, and of the site. */
  maxWebhooks: number;
  allowPrivate: boolean;
  /** Separates systems that share one event server (tests). */
  namespace?: string;
}

/** Outbound webhooks: their stores, the feed of changes and the sender. */
function composeOutbound(
  options: ComposeOptions,
  models: Models,
  secrets: SecretBox,
  { catalog, history }: { catalog: CatalogClient; history: HistoryClient },
) {
  const subscriptions = new MongoSubscriptionStore(models, new IdSequences(models.counters.collection));
  const deliveries = new MongoDeliveryStore(models);
  const { allowPrivate, maxWebhooks } = options;
  const sender = new Sender({ subscriptions, deliveries, secrets, post: poster({ allowPrivate }) });
  const wake = () => sender.wake();
  return {
    sender,
    feed: new Feed({ catalog, history, subscriptions, deliveries, wake }),
    deps: { catalog, subscriptions, deliveries, secrets, allowPrivate, maxWebhooks, wake },
  };
}

const connectBus = (options: ComposeOptions) =>
  EventBus.connect({
    url: options.natsUrl,
    service: SOURCE,
    replicas: options.natsReplicas,
    installation: options.natsNamespace,
    namespace: options.namespace,
    engineTls: options.engineTls,
  });

/** Composition root of the service. */
export async function compose(
  options: ComposeOptions,
): Promise<RunningProcess & { server: RunningServer; relayOnce: (graceMs?: number) => Promise<number> }> {
  const mongo = await openStore(options.mongodbUri, makeModels, {
    queryTimeoutMs: options.queryTimeoutMs,
    engineTls: options.engineTls,
    migrations: [],
  });
  const bus = await connectBus(options);
  const tls = openTls(options.tls);
  const own = ownCaller(SOURCE, options.serviceSecret);
  const catalogService = createClient('catalog', options.catalogAddress, tls);
  const translation = createClient('translation', options.translationAddress, tls);
  const catalog = makeCatalogClient(catalogService, own);
  const inbound = new MongoInboundStore(mongo.models);
  const relay = new OutboxRelay(bus, inbound);
  const secrets = new SecretBox(options.encryptionKey);
  const outbound = composeOutbound(options, mongo.models, secrets, {
    catalog,
    history: makeHistoryClient(translation, own),
  });
  const { sender } = outbound;

  await bus.consume(changesConsumer(outbound.feed));
  await bus.consume({ durable: STRUCTURE_CONSUMER, handlers: removeWebhooks(outbound.deps.subscriptions) });
  relay.start();
  sender.start();
  const server = await serve({
    name: 'hooks',
    listen: options.grpcListen,
    serviceSecret: options.serviceSecret,
    tls,
    implementation: makeHandlers(
      { catalog, inbound, relay, enabled: options.hooksEnabled, mergeMs: options.mergeMs },
      outbound.deps,
    ),
    backup: backupHandlers(new StoreBackup(mongo.connection, backupRules, secrets), {
      projects: { documents: new ProjectRestore(mongo.connection, projectRules, backupRules) },
    }),
  });
  return {
    server,
    relayOnce: (graceMs) => relay.relayOnce(graceMs),
    ready: { store: mongo.ping, events: () => bus.connected(), catalog: () => catalogService.connected() },
    dependencies: { store: mongo.dependency, events: bus.dependency() },
    async drain(withinMs) {
      await server.drain(withinMs);
      await bus.drain();
      await sender.stop();
      await relay.stop();
    },
    async close() {
      await bus.close();
      catalogService.close();
      translation.close();
      await mongo.close();
    },
  };
}
