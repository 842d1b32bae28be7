import { EventBus, type RunningConsumer } from '@parlance/events';
import {
  bumpGeneration,
  connectRedis,
  ContentGenerations,
  readGeneration,
  redisDependency,
  type Redis,
} from '@parlance/redis';
import { busSettings, engineTlsFiles, tlsFiles } from '@parlance/config';
import { backupHandlers, openTls, serve, type Implementation } from '@parlance/grpc-kit';
import { SecretBox } from '@parlance/secrets';
import { connectMongo, ensureIndexes, inBulk, ProjectRestore, StoreBackup } from '@parlance/store-kit';
import { logger, type RunningProcess } from '@parlance/telemetry';
import type { Connection } from 'mongoose';
import { finishRestoredProject } from './app/finish-restored-project';
import { composeApp, type App, type Environment } from './compose-app';
import { composeAutotranslate } from './compose-autotranslate';
import { connectClients } from './compose-clients';
import { composeMemory } from './compose-memory';
import type { Config } from './config';
import { changeMade } from './consumers/change-made';
import { fontChanged } from './consumers/font-changed';
import { structureChanged } from './consumers/structure';
import { userDeleted } from './consumers/user-deleted';
import { REPORTS_ALL_PROBLEMS } from './grpc/handlers/report-all-problems';
import { makeCheckHandlers } from './grpc/handlers/check-handlers';
import { makeCommentHandlers } from './grpc/handlers/comment-handlers';
import { makeContextHandlers, type ContextHandlerDeps } from './grpc/handlers/context-handlers';
import { makeFileHandlers } from './grpc/handlers/file-handlers';
import { makeHistoryHandlers } from './grpc/handlers/history-handlers';
import { makePendingHandlers } from './grpc/handlers/pending-handlers';
import { makeRepositoryHandlers } from './grpc/handlers/repository-handlers';
import { makeSuggestionHandlers } from './grpc/handlers/suggestion-handlers';
import { makeTranslationHandlers } from './grpc/handlers/translation-handlers';
import { makeUnitHandlers } from './grpc/handlers/unit-handlers';
import { makeAdmissions, type Admissions } from './grpc/uploads';
import { backupRules } from './store/backup-rules';
import { makeIds } from './store/ids';
import { makeModels, type Models } from './store/models';
import { peopleOf, projectRules, translationsOf } from './store/project-restore/project-rules';

const NAME = 'translation';

/** A running translation service and the port it listens on. */
export interface TranslationService extends RunningProcess {
  port: number;
}

function connectBus(config: Config, namespace: string | undefined): Promise<EventBus> {
  return EventBus.connect({ ...busSettings(config), service: NAME, namespace });
}

/** Connects to Redis, which announces writes to the caches of other replicas. */
const connectGenerations = (config: Config) =>
  connectRedis(
    config.REDIS_URL,
    (error) => logger.warn({ err: error }, 'redis: connection failed, other replicas see changes seconds later'),
    engineTlsFiles(config),
  );

export async function compose(config: Config, namespace?: string): Promise<TranslationService> {
  const mongo = await connectMongo(config.MONGODB_URI, {
    maxPoolSize: 20,
    queryTimeoutMs: config.PARLANCE_QUERY_TIMEOUT_MS,
    engineTls: engineTlsFiles(config),
    migrations: [],
  });
  const models = makeModels(mongo.connection);
  await ensureIndexes(models);
  const bus = await connectBus(config, namespace);
  const tls = openTls(tlsFiles(config));
  const clients = connectClients(NAME, config, tls);
  const ids = makeIds(models);
  const redis = connectGenerations(config);
  const redisConnection = redisDependency(redis);
  const app = composeApp({ config, models, ids, bus, clients, ...generationsIn(redis) });
  const admissions = makeAdmissions(config.PARLANCE_FILE_MEMORY_MB);
  const changesConsumer = await startConsumers(bus, app);
  const { catalog, callerToken, vcsWorker } = clients;
  const memory = await composeMemory({ app, bus, models, ids, catalog, callerToken, config, admissions });
  const autotranslate = composeAutotranslate({ app, memory: memory.deps, models, config, vcsWorker, callerToken });
  for (const background of [app.effects, app.announcer, app.outboxMeter, app.contextChecks, app.searchIndexer])
    background.start();
  memory.indexer.start();
  const server = await serve({
    name: NAME,
    listen: config.GRPC_LISTEN,
    serviceSecret: config.PARLANCE_SERVICE_SECRET,
    tls,
    implementation: {
      ...handlersOf(app, changesConsumer, memory.lookUp, admissions),
      ...memory.handlers,
      ...autotranslate.handlers,
    },
    completing: REPORTS_ALL_PROBLEMS,
    backup: composeBackup(mongo.connection, config, composeProjectRestore(mongo.connection, models, app)),
    onCall: (context) => app.cacheGeneration.observe(context),
  });
  logger.info({ port: server.port }, 'translation listens');
  return {
    port: server.port,
    ready: { mongo: mongo.ping, nats: () => bus.connected() },
    optional: { redis: redisConnection.check },
    dependencies: { mongo: mongo.dependency, nats: bus.dependency(), redis: redisConnection },
    async drain(withinMs) {
      await autotranslate.stop();
      await server.drain(withinMs);
      await bus.drain();
      await app.stop();
      await memory.indexer.stop();
    },
    async close() {
      await bus.close();
      for (const client of [catalog, clients.identity, clients.media, vcsWorker]) client.close();
      redis.disconnect();
      await mongo.connection.close();
    },
  };
}

function generationsIn(redis: Redis): Pick<Environment, 'newGeneration' | 'catalogGeneration' | 'contents'> {
  return {
    newGeneration: () => bumpGeneration(redis, 'strings'),
    catalogGeneration: {
      current: () => readGeneration(redis, 'catalog'),
      replace: () => bumpGeneration(redis, 'catalog'),
    },
    contents: new ContentGenerations(redis),
  };
}

function composeBackup(connection: Connection, config: Config, documents: ProjectRestore): Implementation<'backup'> {
  const secrets = new SecretBox(config.PARLANCE_ENCRYPTION_KEY);
  return backupHandlers(new StoreBackup(connection, backupRules, secrets), {
    projects: { documents },
  });
}

/** Restores a project; its translations are announced, which counts and learns their strings. */
function composeProjectRestore(connection: Connection, models: Models, app: App): ProjectRestore {
  const deps = {
    ...app,
    people: (project: number) => peopleOf(models, project),
    translationIds: (project: number) => translationsOf(models, project),
  };
  return new ProjectRestore(connection, projectRules(models), backupRules, (project) =>
    inBulk(() => finishRestoredProject(deps, project)),
  );
}

/** @returns the consumer that records the changes of other services */
async function startConsumers(bus: EventBus, app: App): Promise<RunningConsumer> {
  const changesConsumer = await bus.consume({
    durable: 'translation-history',
    payloads: ['changeMade'],
    handle: asBulk(changeMade(app)),
    batch: 50,
  });
  await bus.consume({
    durable: 'translation-structure',
    payloads: ['projectUpdated', 'componentUpdated', 'componentDeleted'],
    handle: asBulk(structureChanged(app)),
  });
  await bus.consume({ durable: 'translation-people', payloads: ['userDeleted'], handle: asBulk(userDeleted(app)) });
  await bus.consume({
    durable: 'translation-fonts',
    payloads: ['fontChanged', 'projectDeleted'],
    handle: asBulk(fontChanged(app)),
  });
  return changesConsumer;
}

function handlersOf(
  app: App,
  changesConsumer: RunningConsumer,
  lookUpMemory: ContextHandlerDeps['lookUpMemory'],
  admissions: Admissions,
) {
  const history = { ...app, changesConsumer };
  return {
    ...makeTranslationHandlers(app),
    ...makeUnitHandlers(app),
    ...makeCheckHandlers(app),
    ...makeSuggestionHandlers(app),
    ...makeCommentHandlers(app),
    ...makeContextHandlers({ ...app, lookUpMemory, history }),
    ...makeHistoryHandlers(history),
    ...makeFileHandlers(app, admissions),
    ...makePendingHandlers(app, admissions),
    ...makeRepositoryHandlers(app, admissions),
  } satisfies Partial<Implementation<'translation'>>;
}

/** Gives queries of event handlers the time limit of maintenance work, because no caller waits for them. */
const asBulk =
  <E>(handle: (events: E) => Promise<void>) =>
  (events: E): Promise<void> =>
    inBulk(() => handle(events));
