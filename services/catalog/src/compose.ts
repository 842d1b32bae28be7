import { EventBus, OutboxRelay, type OutgoingEvent } from '@parlance/events';
import type { Connection } from 'mongoose';
import { busSettings, engineTlsFiles, tlsFiles } from '@parlance/config';
import {
  backupHandlers,
  createClient,
  openTls,
  ownCaller,
  serve,
  type ProjectBackups,
  type Tls,
} from '@parlance/grpc-kit';
import { bumpGeneration, connectRedis, redisDependency } from '@parlance/redis';
import { SecretBox } from '@parlance/secrets';
import { logger, type RunningProcess } from '@parlance/telemetry';
import { IdSequences, connectMongo, ProjectRestore, StoreBackup } from '@parlance/store-kit';
import { SOURCE } from './app/events';
import { CatalogSnapshot } from './app/caches/catalog-snapshot';
import type { WriteAnnouncer, Deps } from './app/deps';
import { ObjectReader } from './app/caches/object-reader';
import { hooksClient } from './clients/hooks-client';
import { identityClient } from './clients/identity-client';
import { vcsWorkerClient } from './clients/vcs-worker-client';
import { abandonProjectRestore, beginProjectRestore, finishProjectRestore } from './app/projects/restore-project';
import { startMeasuringMaintenance } from './app/maintenance/maintenance';
import type { Config } from './config';
import { HANDLED_PAYLOADS, structureConsumer } from './consumers/structure-consumer';
import { webhookConsumer } from './consumers/webhook-consumer';
import { reportsAllProblems, makeHandlers } from './grpc/handlers';
import { backupRules } from './store/backup-rules';
import { MongoAgreementStore } from './store/agreement-store';
import { MongoCategoryStore } from './store/category-store';
import { MongoComponentStore } from './store/component-store';
import { MongoSnapshotSource } from './store/snapshot-source';
import { MongoLanguageStore, seedLanguages } from './store/language-store';
import { MongoMaintenanceStore } from './store/maintenance-store';
import { ensureIndexes, makeModels, type Models } from './store/models';
import { MongoOutboxStore, purgeRemoved, type StoreOutboxLocation } from './store/outbox-store';
import { MongoProjectRestoreStore } from './store/project-restore/project-restore-store';
import { projectRules } from './store/project-restore/project-rules';
import { MongoProjectStore } from './store/project-store';
import { MongoAddonStore, MongoComponentListStore, MongoLabelStore } from './store/small-stores';
import { vocabularies } from './vocabularies';

/** Time for which documents of deleted objects are kept, in milliseconds: longer than snapshots rely on them. */
const KEEP_REMOVED_MS = 3_600_000;
const PURGE_EVERY_MS = 600_000;

/** A running catalog and the port it listens on. */
export interface CatalogService extends RunningProcess {
  port: number;
  /** Publishes events left in outboxes by crashes; returns their number. */
  relayOnce(graceMs?: number): Promise<number>;
  /** Purges documents of objects deleted before a time; returns their number. */
  purge(beforeMs: number): Promise<number>;
}

/** Connects to Redis; logs the begin of an outage once. */
function connectGenerations(config: Config) {
  let redisIsAway = false;
  const onError = (error: Error) => {
    if (!redisIsAway) logger.warn({ err: error }, 'Redis is unavailable: other processes see changes later');
    redisIsAway = true;
  };
  const redis = connectRedis(config.REDIS_URL, onError, engineTlsFiles(config));
  redis.on('ready', () => {
    redisIsAway = false;
  });
  return redis;
}

/** Clients of the other services. */
function connectServices(config: Config, tls: Tls | undefined) {
  const own = ownCaller(SOURCE, config.PARLANCE_SERVICE_SECRET);
  const identity = createClient('identity', config.IDENTITY_ADDRESS, tls);
  const vcsWorker = createClient('vcs-worker', config.VCS_WORKER_ADDRESS, tls);
  const hooks = createClient('hooks', config.HOOKS_ADDRESS, tls);
  return {
    clients: {
      repositories: vcsWorkerClient(vcsWorker, own),
      projectTeams: identityClient(identity, own),
      webhooks: hooksClient(hooks, own),
    },
    close() {
      identity.close();
      vcsWorker.close();
      hooks.close();
    },
  };
}

function composeStores(models: Models) {
  const components = new MongoComponentStore(models.nodes);
  return {
    projects: new MongoProjectStore(models.projects),
    components,
    languages: new MongoLanguageStore(models.languages),
    categories: new MongoCategoryStore(models.nodes, models.projects, components),
    labels: new MongoLabelStore(models.labels),
    lists: new MongoComponentListStore(models.lists),
    addons: new MongoAddonStore(models.addons),
    agreements: new MongoAgreementStore(models.agreements),
    maintenance: new MongoMaintenanceStore(models.maintenance),
  };
}

async function startConsumers(bus: EventBus, deps: Deps): Promise<void> {
  await bus.consume({
    durable: 'catalog-structure',
    payloads: HANDLED_PAYLOADS,
    handle: structureConsumer(deps, (event) => bus.publish(event)),
  });
  await bus.consume({ durable: 'catalog-webhooks', payloads: ['addonChanged'], handle: webhookConsumer(deps) });
}

function startPurging(models: Models): NodeJS.Timeout {
  const purging = setInterval(() => {
    purgeRemoved(models, Date.now() - KEEP_REMOVED_MS).catch((error: unknown) =>
      logger.warn({ err: error }, 'purging deleted objects failed; retrying later'),
    );
  }, PURGE_EVERY_MS);
  purging.unref();
  return purging;
}

/** Connects to the store, whose languages exist afterwards. */
async function openCatalog(config: Config) {
  const mongo = await connectMongo(config.MONGODB_URI, {
    maxPoolSize: 20,
    queryTimeoutMs: config.PARLANCE_QUERY_TIMEOUT_MS,
    engineTls: engineTlsFiles(config),
    migrations: [],
  });
  const models = makeModels(mongo.connection);
  await ensureIndexes(models);
  const ids = new IdSequences(models.counters.collection);
  await seedLanguages(models, ids);
  return { mongo, models, ids };
}

function connectBus(config: Config, namespace: string | undefined): Promise<EventBus> {
  return EventBus.connect({ ...busSettings(config), service: SOURCE, namespace });
}

/** Announces writes to this process, to the caches of other processes and to the consumers of events. */
function makeAnnouncer(
  redis: ReturnType<typeof connectGenerations>,
  snapshot: CatalogSnapshot,
  relay: OutboxRelay<StoreOutboxLocation>,
): WriteAnnouncer {
  return {
    async written(...notes) {
      snapshot.changed();
      await Promise.all([
        bumpGeneration(redis, 'catalog'),
        ...notes.filter((n) => n.events.length > 0).map((n) => relay.flush(n.location, [...n.events])),
      ]);
    },
  };
}

function composeBackup(connection: Connection, secrets: SecretBox, projects: ProjectBackups) {
  return backupHandlers(new StoreBackup(connection, backupRules, secrets), { projects });
}

function composeProjectBackups(connection: Connection, models: Models, deps: Deps, bus: EventBus): ProjectBackups {
  const restores = new MongoProjectRestoreStore(connection, models);
  const restoreDeps = { ...deps, restores, publish: (event: OutgoingEvent) => bus.publish(event) };
  return {
    documents: new ProjectRestore(connection, projectRules(models), backupRules, (project) =>
      finishProjectRestore(restoreDeps, project),
    ),
    restores: {
      begin: (project: { id: number; slug: string; name: string }) => beginProjectRestore(restoreDeps, project),
      abandon: (project: number) => abandonProjectRestore(restoreDeps, project),
    },
  };
}

export async function compose(config: Config, namespace?: string): Promise<CatalogService> {
  const { mongo, models, ids } = await openCatalog(config);
  const { connection } = mongo;
  const redis = connectGenerations(config);
  const redisConnection = redisDependency(redis);
  const bus = await connectBus(config, namespace);
  const tls = openTls(tlsFiles(config));
  const services = connectServices(config, tls);

  const snapshot = new CatalogSnapshot(new MongoSnapshotSource(models));
  const relay = new OutboxRelay(bus, new MongoOutboxStore(models));
  const announcer = makeAnnouncer(redis, snapshot, relay);
  const stores = composeStores(models);
  const secrets = new SecretBox(config.PARLANCE_ENCRYPTION_KEY);
  const deps: Deps = {
    ...stores,
    ...services.clients,
    ...{ ids, secrets, announcer, vocabularies, snapshot },
    quotas: { componentsPerProject: config.PARLANCE_MAX_COMPONENTS, addonsPerScope: config.PARLANCE_MAX_ADDONS },
    reader: new ObjectReader(snapshot, stores.projects, stores.components, stores.categories),
    now: () => Date.now(),
  };

  await startConsumers(bus, deps);
  relay.start();
  const stopMeasuring = startMeasuringMaintenance(deps.maintenance);
  await snapshot.at('');
  const purging = startPurging(models);
  const server = await serve({
    name: 'catalog',
    listen: config.GRPC_LISTEN,
    serviceSecret: config.PARLANCE_SERVICE_SECRET,
    tls,
    implementation: makeHandlers(deps),
    completing: reportsAllProblems,
    backup: composeBackup(connection, secrets, composeProjectBackups(connection, models, deps, bus)),
  });
  logger.info({ port: server.port }, 'catalog listens');
  return {
    port: server.port,
    relayOnce: (graceMs) => relay.relayOnce(graceMs),
    purge: (beforeMs) => purgeRemoved(models, beforeMs),
    ready: { mongo: mongo.ping, nats: () => bus.connected() },
    optional: { redis: redisConnection.check },
    dependencies: { mongo: mongo.dependency, nats: bus.dependency(), redis: redisConnection },
    async drain(withinMs) {
      await server.drain(withinMs);
      await bus.drain();
      clearInterval(purging);
      await relay.stop();
    },
    async close() {
      stopMeasuring();
      await bus.close();
      services.close();
      redis.disconnect();
      await connection.close();
    },
  };
}
