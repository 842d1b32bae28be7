import { EventBus, OutboxRelay } from '@parlance/events';
import { isServiceError } from '@parlance/errors';
import { createClient, ownCaller, serve, type CallContext, type CallOptions, type Client } from '@parlance/grpc-kit';
import { bumpGeneration, connectRedis, redisDependency } from '@parlance/redis';
import { SecretBox } from '@parlance/secrets';
import { logger, type RunningProcess } from '@parlance/telemetry';
import { BlockIds, connectMongo } from '@parlance/store-kit';
import { SOURCE } from './app/events';
import { Directory } from './app/caches/catalog-snapshot';
import type { Announcer, Deps } from './app/deps';
import { Reader } from './app/caches/object-reader';
import type { Config } from './config';
import { HANDLED, structureConsumer } from './consumers/structure-consumer';
import { webhookConsumer } from './consumers/webhook-consumer';
import type { Repositories, Teams, Webhook, Webhooks } from './domain/ports';
import { completing, makeHandlers } from './grpc/handlers';
import { MongoAgreementStore } from './store/agreement-store';
import { MongoCategoryStore } from './store/category-store';
import { MongoComponentStore } from './store/component-store';
import { countCommands } from './store/command-count';
import { MongoDirectorySource } from './store/snapshot-source';
import { MongoLanguageStore, seedLanguages } from './store/language-store';
import { ensureIndexes, makeModels } from './store/models';
import { MongoOutboxStore, purgeRemoved } from './store/outbox-store';
import { MongoProjectStore } from './store/project-store';
import { MongoAddonStore, MongoComponentListStore, MongoLabelStore } from './store/small-stores';
import { vocabularies } from './vocabularies';

/** How long the making of a project's teams may hold up the answer, in milliseconds. */
const TEAMS_TIMEOUT_MS = 5_000;
/** How long the hooks service may take, in milliseconds. */
const WEBHOOKS_TIMEOUT_MS = 5_000;
/** How long looking into a repository may take when the caller sets no limit, in milliseconds: it is cloned. */
const PREPARE_TIMEOUT_MS = 600_000;

/** How long documents of removed objects are kept, in milliseconds: longer than directories rely on. */
const KEEP_REMOVED_MS = 3_600_000;
const PURGE_EVERY_MS = 600_000;

/** A running catalog and the port it listens on. */
export interface CatalogService extends RunningProcess {
  port: number;
  /** Publishes what crashes left in outboxes; answers how many events. */
  relayOnce(graceMs?: number): Promise<number>;
  /** Deletes documents of objects that were removed before a time; answers how many. */
  purge(beforeMs: number): Promise<number>;
}

export async function compose(config: Config, namespace?: string): Promise<CatalogService> {
  const mongo = await connectMongo(config.MONGODB_URI, {
    monitorCommands: true,
    maxPoolSize: 20,
    queryTimeoutMs: config.PARLANCE_QUERY_TIMEOUT_MS,
  });
  const { connection } = mongo;
  countCommands(connection);
  const models = makeModels(connection);
  await ensureIndexes(models);
  const ids = new BlockIds(models.counters.collection);
  await seedLanguages(models, ids);
  let redisIsAway = false;
  const redis = connectRedis(config.REDIS_URL, (error) => {
    if (!redisIsAway) logger.warn({ err: error }, 'Redis is away: other processes see changes later');
    redisIsAway = true;
  });
  redis.on('ready', () => {
    redisIsAway = false;
  });
  const bus = await EventBus.connect({
    url: config.NATS_URL,
    service: SOURCE,
    replicas: config.NATS_REPLICAS,
    ...(namespace ? { namespace } : {}),
  });
  const own = ownCaller(SOURCE, config.PARLANCE_SERVICE_SECRET);
  const identity = createClient('identity', config.IDENTITY_ADDRESS);
  const vcsWorker = createClient('vcs-worker', config.VCS_WORKER_ADDRESS);
  const hooks = createClient('hooks', config.HOOKS_ADDRESS);

  const directory = new Directory(new MongoDirectorySource(models));
  const relay = new OutboxRelay(bus, new MongoOutboxStore(models));
  const announcer: Announcer = {
    async written(...notes) {
      directory.changed();
      await Promise.all([
        bumpGeneration(redis, 'catalog'),
        ...notes.filter((n) => n.events.length > 0).map((n) => relay.flush(n.place, [...n.events])),
      ]);
    },
  };
  const projects = new MongoProjectStore(models.projects);
  const components = new MongoComponentStore(models.nodes);
  const languages = new MongoLanguageStore(models.languages);
  const deps: Deps = {
    projects,
    components,
    languages,
    categories: new MongoCategoryStore(models.nodes, models.projects, components),
    labels: new MongoLabelStore(models.labels),
    lists: new MongoComponentListStore(models.lists),
    addons: new MongoAddonStore(models.addons),
    agreements: new MongoAgreementStore(models.agreements),
    ids,
    secrets: new SecretBox(config.PARLANCE_ENCRYPTION_KEY),
    repositories: repositoriesOf(vcsWorker, own),
    teams: teamsOf(identity, own),
    webhooks: webhooksOf(hooks, own),
    announcer,
    vocabularies,
    quotas: { componentsOfProject: config.PARLANCE_MAX_COMPONENTS, addonsOfPlace: config.PARLANCE_MAX_ADDONS },
    directory,
    reader: new Reader(directory, projects, components),
    now: () => Date.now(),
  };

  await bus.consume({
    durable: 'catalog-structure',
    payloads: HANDLED,
    handle: structureConsumer(deps, (event) => bus.publish(event)),
  });
  await bus.consume({ durable: 'catalog-webhooks', payloads: ['addonChanged'], handle: webhookConsumer(deps) });
  relay.start();
  await directory.at('');
  const purging = setInterval(() => {
    purgeRemoved(models, Date.now() - KEEP_REMOVED_MS).catch((error: unknown) =>
      logger.warn({ err: error }, 'removed objects stay for now'),
    );
  }, PURGE_EVERY_MS);
  purging.unref();
  const server = await serve({
    name: 'catalog',
    listen: config.GRPC_LISTEN,
    serviceSecret: config.PARLANCE_SERVICE_SECRET,
    implementation: makeHandlers(deps),
    completing,
  });
  logger.info({ port: server.port }, 'catalog listens');
  return {
    port: server.port,
    relayOnce: (graceMs) => relay.relayOnce(graceMs),
    purge: (beforeMs) => purgeRemoved(models, beforeMs),
    ready: { mongo: mongo.ping, nats: () => bus.connected() },
    dependencies: { mongo: mongo.dependency, nats: bus.dependency(), redis: redisDependency(redis) },
    async drain() {
      await server.drain();
      await bus.drain();
      clearInterval(purging);
      await relay.stop();
    },
    async close() {
      await bus.close();
      identity.close();
      vcsWorker.close();
      hooks.close();
      redis.disconnect();
      await connection.close();
    },
  };
}

/** Calls are made for whoever asked; a consumer's own calls carry no context. */
function asCaller(caller: object): CallOptions {
  return 'callerToken' in caller ? { as: caller as CallContext } : {};
}

function repositoriesOf(client: Client<'vcs-worker'>, own: () => string): Repositories {
  return {
    async prepare({ archiveKind, fileFormatParams, ...wish }, archive, caller) {
      const request = { ...wish, fileFormatParamsJson: JSON.stringify(fileFormatParams), archiveKind };
      const options = { timeoutMs: PREPARE_TIMEOUT_MS, ...asCaller(caller) };
      if (!archive) return client.prepareRepository(request, options);
      const messages = async function* () {
        yield { header: request };
        for await (const chunk of archive)
          yield { chunk: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) };
      };
      return client.prepareRepositoryFromFile(messages(), options);
    },
    async hasFile(componentId, path) {
      try {
        for await (const _ of client.readFile({ componentId, path }, { as: own() })) return true;
        return true;
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return false;
        throw error;
      }
    },
  };
}

function teamsOf(client: Client<'identity'>, own: () => string): Teams {
  return {
    async ensure({ id, settings }, creatorUserId) {
      const { slug, accessControl, translationReview, sourceReview } = settings;
      await client.ensureProjectTeams(
        { projectId: id, slug, accessControl, translationReview, sourceReview, creatorUserId },
        { as: own(), timeoutMs: TEAMS_TIMEOUT_MS },
      );
    },
  };
}

function webhooksOf(client: Client<'hooks'>, own: () => string): Webhooks {
  const request = ({ url, slack, events, ...rest }: Webhook) => ({
    ...rest,
    events: [...events],
    webhookUrl: url,
    payloadKind: slack ? ('PAYLOAD_KIND_SLACK' as const) : ('PAYLOAD_KIND_CHANGE' as const),
  });
  const as = (): CallOptions => ({ as: own(), timeoutMs: WEBHOOKS_TIMEOUT_MS });
  return {
    async check(webhook) {
      await client.createSubscription({ ...request(webhook), validateOnly: true }, as());
    },
    async put(webhook) {
      await client.createSubscription(request(webhook), as());
    },
    async remove(addonId) {
      await client.deleteSubscription({ addonId }, as());
    },
  };
}
