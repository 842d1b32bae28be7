import { busSettings, engineTlsFiles, tlsFiles } from '@parlance/config';
import { openStore, ProjectRestore, StoreBackup } from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { EventBus, OutboxRelay } from '@parlance/events';
import type { RemotePolicy } from '@parlance/git';
import {
  backupHandlers,
  createClient,
  openTls,
  ownCaller,
  readMaintenance,
  serve,
  type Implementation,
  type RunningServer,
  type Tls,
} from '@parlance/grpc-kit';
import { FileAdmission } from '@parlance/workload';
import { connectContents, type ContentGenerations } from '@parlance/redis';
import { logger, type RunningProcess } from '@parlance/telemetry';
import { LRUCache } from 'lru-cache';
import { addonsTask } from './app/addons/task';
import { Clones } from './app/repository/clones';
import { importComponent, operateOnComponent, updateComponent } from './app/tasks/component-tasks';
import { glossaryTask } from './app/tasks/glossary-task';
import { FileProcessor } from './app/files/file-processor';
import { Housekeeping } from './app/tasks/housekeeping';
import type { Deps } from './app/deps';
import { measureGit, startMeasuring } from './app/measures';
import { Semaphore } from './app/semaphore';
import { takeOverFromPredecessor } from './app/repository/worker-record';
import { RepositoryQueue } from './app/repository/repository-queue';
import { TaskRunner } from './app/tasks/task-runner';
import { SERVICE } from './app/change-events';
import type { TaskKind } from './domain/task';
import type { Config } from './config';
import { addonHandlers } from './consumers/addon-changed';
import { pushedHandlers } from './consumers/repository-pushed';
import { structureHandlers } from './consumers/structure';
import { editsConsumer } from './consumers/translation-updated';
import { makeCatalogClient } from './clients/catalog-client';
import { makeHandlers } from './grpc/handlers';
import { makeMediaClient } from './clients/media-client';
import { makeTranslationClient } from './clients/translation-client';
import { backupRules } from './store/backup-rules';
import { MongoCommitStore } from './store/commit-store';
import { MongoComponentIndex, MongoWorkerStore } from './store/component-index';
import { MongoMeasures } from './store/measures';
import { migrations } from './store/migrations';
import { makeModels, type Models } from './store/models';
import { projectRules } from './store/project-rules';
import { MongoRepositoryStore } from './store/repository-store';
import { MongoTaskStore } from './store/task-store';

/** Maximum wait of a file for memory, in milliseconds. */
const FILE_WAIT_MS = 60_000;
/** Timeout of git commands without network access, in milliseconds. */
const LOCAL_TIMEOUT_MS = 600_000;
const MIB = 1024 * 1024;
/** Cache of files that were read, in bytes. */
const READ_FILES_BYTES = 32 * MIB;
/** Tasks without a requesting user: components do not show them. */
const INTERNAL_TASKS: ReadonlySet<TaskKind> = new Set(['commit', 'addons', 'glossary']);

/** A running vcs-worker. */
export interface VcsWorker extends RunningProcess {
  port: number;
  deps: Deps;
  housekeeping: Housekeeping;
}

/** Settings for tests that are not environment variables. */
export interface ComposeExtras {
  /** Separates systems that share one event server. */
  namespace?: string;
  /** Name resolution for remotes. */
  resolve?: RemotePolicy['resolve'];
}

/** Clients of the other services. */
function connectServices(config: Config, tls: Tls | undefined) {
  const callerToken = ownCaller(SERVICE, config.PARLANCE_SERVICE_SECRET);
  const catalog = createClient('catalog', config.CATALOG_ADDRESS, tls);
  const translation = createClient('translation', config.TRANSLATION_ADDRESS, tls);
  const media = createClient('media', config.MEDIA_ADDRESS, tls);
  return {
    clients: {
      translations: makeTranslationClient(translation, callerToken),
      catalog: makeCatalogClient(catalog, callerToken),
      media: makeMediaClient(media, callerToken),
    },
    maintenance: readMaintenance(catalog, callerToken),
    close() {
      catalog.close();
      translation.close();
      media.close();
    },
  };
}

const connectStore = (config: Config) =>
  openStore(config.MONGODB_URI, makeModels, {
    poolSize: 20,
    queryTimeoutMs: config.PARLANCE_QUERY_TIMEOUT_MS,
    engineTls: engineTlsFiles(config),
    migrations,
  });

function composeStores(models: Models, contents: ContentGenerations) {
  return {
    repositories: new MongoRepositoryStore(models, contents),
    commits: new MongoCommitStore(models),
    index: new MongoComponentIndex(models, contents),
    tasks: new MongoTaskStore(models),
  };
}

type Stores = ReturnType<typeof composeStores>;

/** Publishes the events that repositories' documents contain. */
function composeRelay(bus: EventBus, repositories: MongoRepositoryStore): OutboxRelay<string> {
  return new OutboxRelay<string>(bus, {
    pending: (beforeMs, limit) => repositories.pending(beforeMs, limit),
    count: (beforeMs, limit) => repositories.countUnpublished(beforeMs, limit),
    remove: (id, eventIds) => repositories.removeEvents(id, eventIds),
  });
}

function openClones(config: Config, { resolve }: ComposeExtras, commits: Stores['commits']): Promise<Clones> {
  const dataDir = config.PARLANCE_WORK_DIR;
  return Clones.at(
    dataDir,
    {
      policy: { allowPrivate: config.PARLANCE_ALLOW_PRIVATE_REMOTES, ...(resolve ? { resolve } : {}) },
      ssh: {
        knownHostsFile: join(dataDir, 'known_hosts'),
        ...(config.PARLANCE_SSH_KEY_FILE ? { keyFile: config.PARLANCE_SSH_KEY_FILE } : {}),
      },
      networkTimeoutMs: config.VCS_WORKER_NETWORK_TIMEOUT * 1000,
      localTimeoutMs: LOCAL_TIMEOUT_MS,
      maxRepositoryBytes: config.VCS_WORKER_MAX_REPOSITORY_MIB * MIB,
      measure: measureGit,
    },
    commits,
  );
}

/** The parts of the use cases' dependencies that only the configuration determines. */
function composeSite(config: Config): Pick<Deps, 'readFiles' | 'files' | 'serveSemaphore' | 'site' | 'committer'> {
  return {
    readFiles: new LRUCache({
      maxSize: READ_FILES_BYTES,
      sizeCalculation: ({ bytes }, key) => bytes.length + key.length,
    }),
    files: new FileProcessor({ threads: 1, memoryMb: config.PARLANCE_WORKER_MEMORY_MB }),
    serveSemaphore: new Semaphore(config.VCS_WORKER_SERVED),
    site: { url: `${config.PARLANCE_PUBLIC_URL}/`, title: config.PARLANCE_SITE_TITLE },
    committer: () => ({
      name: config.PARLANCE_COMMITTER_NAME,
      email: config.PARLANCE_COMMITTER_EMAIL,
      timeMs: Date.now(),
    }),
  };
}

function composeRunner(config: Config, deps: Deps, worker: string, leaseMs: number): TaskRunner {
  return new TaskRunner(
    deps.tasks,
    {
      import: importComponent(deps),
      pull: operateOnComponent(deps, 'pull'),
      update: updateComponent(deps),
      commit: operateOnComponent(deps, 'commit'),
      addons: addonsTask(deps),
      glossary: glossaryTask(deps),
    },
    worker,
    { concurrency: config.VCS_WORKER_CONCURRENCY, leaseMs, paused: deps.paused },
    (task) => (INTERNAL_TASKS.has(task.kind) ? Promise.resolve() : deps.catalog.setTask(task.component, task.id, true)),
  );
}

async function startConsumers(config: Config, bus: EventBus, deps: Deps): Promise<void> {
  await bus.consume({ durable: 'vcs-worker-structure', handlers: structureHandlers(deps) });
  const mergeMs = config.PARLANCE_HOOK_MERGE_SECONDS * 1000;
  await bus.consume({ durable: 'vcs-worker-pushed', handlers: pushedHandlers(deps, mergeMs) });
  await bus.consume(editsConsumer(deps.index));
  await bus.consume({ durable: 'vcs-worker-addons', handlers: addonHandlers(deps) });
}

function startServer(
  config: Config,
  deps: Deps,
  runner: TaskRunner,
  backup: Implementation<'backup'>,
  tls: Tls | undefined,
): Promise<RunningServer> {
  const admission = new FileAdmission({
    totalBytes: config.PARLANCE_FILE_MEMORY_MB * MIB,
    callerShare: 1,
    maxWaiting: 32,
    maxWaitMs: FILE_WAIT_MS,
  });
  return serve({
    name: SERVICE,
    listen: config.GRPC_LISTEN,
    serviceSecret: config.PARLANCE_SERVICE_SECRET,
    tls,
    implementation: makeHandlers(deps, (task) => runner.cancel(task), admission),
    backup,
  });
}

function connectBus(config: Config, namespace: string | undefined): Promise<EventBus> {
  return EventBus.connect({ ...busSettings(config), service: SERVICE, namespace });
}

function composeBackup(connection: Connection, index: MongoComponentIndex): Implementation<'backup'> {
  const documents = new ProjectRestore(connection, projectRules, backupRules, (project) =>
    index.invalidateProject(project),
  );
  return backupHandlers(new StoreBackup(connection, backupRules), { projects: { documents } });
}

/** A process that was killed held leases that would expire only later. */
function releaseLeasesOfPredecessor(
  config: Config,
  worker: string,
  { repositories, tasks }: ReturnType<typeof composeStores>,
): Promise<void> {
  return takeOverFromPredecessor(config.PARLANCE_WORK_DIR, worker, async (predecessor) => {
    logger.info({ predecessor }, 'worker start: releasing the leases of a terminated process');
    await Promise.all([repositories.releaseAll(predecessor), tasks.releaseAll(predecessor)]);
  });
}

export async function compose(config: Config, extras: ComposeExtras = {}): Promise<VcsWorker> {
  const mongo = await connectStore(config);
  const { models } = mongo;
  const redis = connectContents(config.REDIS_URL, engineTlsFiles(config));
  const bus = await connectBus(config, extras.namespace);
  const tls = openTls(tlsFiles(config));
  const services = connectServices(config, tls);
  const stores = composeStores(models, redis.contents);
  const relay = composeRelay(bus, stores.repositories);
  const worker = `${hostname()}-${randomUUID()}`;
  const leaseMs = config.VCS_WORKER_LEASE_SECONDS * 1000;
  const queue = new RepositoryQueue(stores.repositories, new MongoWorkerStore(models), worker, leaseMs, (id, events) =>
    relay.flush(id, events),
  );
  const deps: Deps = {
    ...stores,
    ...services.clients,
    ...composeSite(config),
    clones: await openClones(config, extras, stores.commits),
    queue,
    paused: async () => (await services.maintenance.current()) !== null,
    wake: () => runner.wake(),
  };
  const runner: TaskRunner = composeRunner(config, deps, worker, leaseMs);
  const housekeeping = new Housekeeping(deps);
  const stopMeasuring = startMeasuring(new MongoMeasures(models), config.PARLANCE_WORK_DIR);
  await releaseLeasesOfPredecessor(config, worker, stores);
  await queue.start();
  await startConsumers(config, bus, deps);
  relay.start();
  runner.start();
  housekeeping.start(config.VCS_WORKER_COMMIT_CHECK_SECONDS * 1000);
  const server = await startServer(config, deps, runner, composeBackup(mongo.connection, stores.index), tls);
  logger.info({ port: server.port, worker }, 'vcs-worker listens');
  return {
    port: server.port,
    deps,
    housekeeping,
    ready: { mongo: mongo.ping, nats: () => bus.connected() },
    optional: { redis: redis.dependency.check },
    dependencies: { mongo: mongo.dependency, nats: bus.dependency(), redis: redis.dependency },
    async drain(withinMs) {
      await Promise.all([server.drain(withinMs), runner.stop(withinMs), bus.drain()]);
      await housekeeping.stop();
      await relay.stop();
      await queue.stop();
      await deps.files.close();
    },
    async close() {
      stopMeasuring();
      await bus.close();
      services.close();
      redis.close();
      await mongo.close();
    },
  };
}
