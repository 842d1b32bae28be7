import { openStore } from '@parlance/store-kit';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { EventBus, OutboxRelay } from '@parlance/events';
import type { RemotePolicy } from '@parlance/git';
import { createClient, ownCaller, readMaintenance, serve } from '@parlance/grpc-kit';
import { FileAdmission } from '@parlance/workload';
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
import { MongoCommitStore } from './store/commit-store';
import { MongoComponentIndex, MongoWorkerStore } from './store/component-index';
import { MongoMeasures } from './store/measures';
import { makeModels } from './store/models';
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

export async function compose(config: Config, extras: ComposeExtras = {}): Promise<VcsWorker> {
  const mongo = await openStore(config.MONGODB_URI, makeModels, {
    poolSize: 20,
    queryTimeoutMs: config.PARLANCE_QUERY_TIMEOUT_MS,
  });
  const { models } = mongo;
  const bus = await EventBus.connect({
    url: config.NATS_URL,
    service: SERVICE,
    replicas: config.NATS_REPLICAS,
    ...(extras.namespace ? { namespace: extras.namespace } : {}),
  });
  const callerToken = ownCaller(SERVICE, config.PARLANCE_SERVICE_SECRET);
  const catalogClient = createClient('catalog', config.CATALOG_ADDRESS);
  const translationClient = createClient('translation', config.TRANSLATION_ADDRESS);
  const maintenance = readMaintenance(catalogClient, callerToken);
  const mediaClient = createClient('media', config.MEDIA_ADDRESS);

  const worker = `${hostname()}-${randomUUID()}`;
  const leaseMs = config.VCS_WORKER_LEASE_SECONDS * 1000;
  const repositories = new MongoRepositoryStore(models);
  const commits = new MongoCommitStore(models);
  const index = new MongoComponentIndex(models);
  const tasks = new MongoTaskStore(models);
  const relay = new OutboxRelay<string>(bus, {
    pending: (beforeMs, limit) => repositories.pending(beforeMs, limit),
    remove: (id, eventIds) => repositories.removeEvents(id, eventIds),
  });
  const queue = new RepositoryQueue(repositories, new MongoWorkerStore(models), worker, leaseMs, (id, events) =>
    relay.flush(id, events),
  );
  const dataDir = config.PARLANCE_WORK_DIR;
  const clones = await Clones.at(
    dataDir,
    {
      policy: {
        allowPrivate: config.PARLANCE_ALLOW_PRIVATE_REMOTES,
        ...(extras.resolve ? { resolve: extras.resolve } : {}),
      },
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
  const deps: Deps = {
    repositories,
    commits,
    index,
    tasks,
    translations: makeTranslationClient(translationClient, callerToken),
    catalog: makeCatalogClient(catalogClient, callerToken),
    media: makeMediaClient(mediaClient, callerToken),
    clones,
    queue,
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
    paused: async () => (await maintenance.current()) !== null,
    wake: () => runner.wake(),
  };
  const runner: TaskRunner = new TaskRunner(
    tasks,
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
  const housekeeping = new Housekeeping(deps);
  const stopMeasuring = startMeasuring(new MongoMeasures(models), dataDir);
  await takeOverFromPredecessor(dataDir, worker, async (predecessor) => {
    logger.info({ predecessor }, 'worker start: releasing the leases of a terminated process');
    await Promise.all([repositories.releaseAll(predecessor), tasks.releaseAll(predecessor)]);
  });
  await queue.start();
  await bus.consume({ durable: 'vcs-worker-structure', handlers: structureHandlers(deps) });
  const mergeMs = config.PARLANCE_HOOK_MERGE_SECONDS * 1000;
  await bus.consume({ durable: 'vcs-worker-pushed', handlers: pushedHandlers(deps, mergeMs) });
  await bus.consume(editsConsumer(index));
  await bus.consume({ durable: 'vcs-worker-addons', handlers: addonHandlers(deps) });
  relay.start();
  runner.start();
  housekeeping.start(config.VCS_WORKER_COMMIT_CHECK_SECONDS * 1000);
  const admission = new FileAdmission({
    totalBytes: config.PARLANCE_FILE_MEMORY_MB * 1024 * 1024,
    callerShare: 1,
    maxWaiting: 32,
    maxWaitMs: FILE_WAIT_MS,
  });
  const server = await serve({
    name: SERVICE,
    listen: config.GRPC_LISTEN,
    serviceSecret: config.PARLANCE_SERVICE_SECRET,
    implementation: makeHandlers(deps, (task) => runner.cancel(task), admission),
  });
  logger.info({ port: server.port, worker }, 'vcs-worker listens');
  const drainMs = config.PARLANCE_DRAIN_SECONDS * 800;
  return {
    port: server.port,
    deps,
    housekeeping,
    ready: { mongo: mongo.ping, nats: () => bus.connected() },
    dependencies: { mongo: mongo.dependency, nats: bus.dependency() },
    async drain() {
      await Promise.all([server.drain(drainMs), runner.stop(drainMs), bus.drain()]);
      await housekeeping.stop();
      await relay.stop();
      await queue.stop();
      await deps.files.close();
    },
    async close() {
      stopMeasuring();
      await bus.close();
      catalogClient.close();
      translationClient.close();
      mediaClient.close();
      await mongo.close();
    },
  };
}
