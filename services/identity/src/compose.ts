import { EventBus } from '@parlance/events';
import { busSettings, ConfigError, engineTlsFiles, tlsFiles } from '@parlance/config';
import { backupHandlers, createClient, openTls, ownCaller, serve } from '@parlance/grpc-kit';
import { bumpGeneration, connectRedis, redisDependency, type GenerationName } from '@parlance/redis';
import { SecretBox } from '@parlance/secrets';
import type { Connection } from 'mongoose';
import { connectMongo, ensureIndexes, ProjectRestore, StoreBackup, type Mongo } from '@parlance/store-kit';
import { logger, type RunningProcess } from '@parlance/telemetry';
import { readFile } from 'node:fs/promises';
import { bootstrap } from './app/bootstrap';
import type { Deps } from './app/deps';
import type { Config } from './config';
import { structureConsumer, structurePayloads } from './consumers/structure-consumer';
import { startNotifications } from './start-notifications';
import { openIdProvider } from './clients/openid-provider';
import { componentListProjectsClient } from './clients/component-lists-client';
import { reportsAllProblems, handlers } from './grpc/handlers';
import { makeIds } from './store/ids';
import { securityMails } from './app/notifications/security-mails';
import type { AuditEntry } from './domain/audit';
import { finishRestoredTeams } from './app/groups/finish-restored-teams';
import { backupRules } from './store/backup-rules';
import { projectRules } from './store/project-restore/project-rules';
import { MongoAttemptStore } from './store/attempt-store';
import { MongoAuditStore } from './store/audit-store';
import { MongoGroupStore } from './store/group-store';
import { PendingAnnouncementsStore } from './store/announcements/pending-announcements-store';
import { MongoMailStore } from './store/mail-store';
import { makeModels } from './store/models';
import { argon2id } from './store/password-hasher';
import { MongoProgressStore } from './store/progress-store';
import { MongoProjectStore } from './store/project-store';
import { MongoRoleStore } from './store/role-store';
import { MongoUserStore } from './store/user-store';
import { MongoWebCredentialStore } from './store/web-credential-store';
import { WriteAnnouncer } from './store/announcements/write-announcer';

const NAME = 'identity';

/** A running identity service. */
export interface IdentityService extends RunningProcess {
  /** Port of gRPC. */
  port: number;
  /** Publishes pending announcements immediately; returns the number of events. */
  relay(): Promise<number>;
  /** Runs a notification round immediately. */
  notify(): Promise<void>;
}

/**
 * The stores with their indexes, and the announcer of their writes.
 * @param invalidate drops what gateways cached under a generation
 */
async function openStores(
  connection: Mongo['connection'],
  bus: EventBus,
  invalidate: (name: GenerationName) => Promise<void>,
) {
  const dropCaches = () => invalidate('access');
  await ensureIndexes(makeModels(connection));
  const ids = makeIds(connection);
  const audit = new MongoAuditStore(connection, ids);
  const mails = new MongoMailStore(connection, ids);
  const mailOwners = async (entries: readonly AuditEntry[]) => {
    for (const { source, part } of securityMails(entries)) await mails.add(source, [part]);
  };
  const announcer = new WriteAnnouncer(bus, new PendingAnnouncementsStore(connection), audit, dropCaches, mailOwners);
  const users = new MongoUserStore(connection, ids, announcer, () => invalidate('uses'));
  const groups = new MongoGroupStore(connection, ids, announcer);
  const roles = new MongoRoleStore(connection, ids, announcer);
  const projects = new MongoProjectStore(connection, announcer);
  const webCredentials = new MongoWebCredentialStore(connection, ids, dropCaches);
  const attempts = new MongoAttemptStore(connection);
  const progress = new MongoProgressStore(connection);
  return { stores: { users, groups, roles, projects, audit, mails, progress, webCredentials, attempts }, announcer };
}

/** The OpenID Connect provider of the settings. @throws ConfigError if they are incomplete */
async function externalProviderOf(config: Config): Promise<Pick<Deps, 'externalProvider'>> {
  const {
    PARLANCE_OIDC_ISSUER: issuer,
    PARLANCE_OIDC_CLIENT_ID: clientId,
    PARLANCE_OIDC_CLIENT_SECRET_FILE: file,
  } = config;
  if (issuer === undefined) return {};
  if (clientId === undefined || file === undefined)
    throw new ConfigError('PARLANCE_OIDC_ISSUER needs PARLANCE_OIDC_CLIENT_ID and PARLANCE_OIDC_CLIENT_SECRET_FILE.');
  const clientSecret = (await readFile(file, 'utf8')).trim();
  const { PARLANCE_OIDC_SCOPE: scope, PARLANCE_OIDC_TEAMS_CLAIM: teamsClaim } = config;
  return { externalProvider: openIdProvider({ issuer, clientId, clientSecret, scope, teamsClaim }) };
}

/** Settings that use cases need. @throws ConfigError if the settings of the provider are incomplete */
async function settingsOf(config: Config) {
  return {
    passwords: argon2id,
    serviceSecret: config.PARLANCE_SERVICE_SECRET,
    noreplyDomain: config.PARLANCE_NOREPLY_DOMAIN,
    maxTokens: config.PARLANCE_MAX_TOKENS,
    sessionTimes: {
      idleMs: config.PARLANCE_SESSION_IDLE_MINUTES * 60_000,
      absoluteMs: config.PARLANCE_SESSION_HOURS * 3600_000,
    },
    siteUrl: config.PARLANCE_PUBLIC_URL,
    ...(await externalProviderOf(config)),
    externalPolicy: {
      createUsers: config.PARLANCE_OIDC_CREATE_USERS,
      linkByEmail: config.PARLANCE_OIDC_LINK_BY_EMAIL,
      teams: config.PARLANCE_OIDC_TEAMS,
    },
  } satisfies Partial<Deps>;
}

async function connectEngines(config: Config, namespace: string | undefined) {
  const mongo = await connectMongo(config.MONGODB_URI, {
    maxPoolSize: 20,
    autoIndex: false,
    queryTimeoutMs: config.PARLANCE_QUERY_TIMEOUT_MS,
    engineTls: engineTlsFiles(config),
    migrations: [],
  });
  const bus = await EventBus.connect({ ...busSettings(config), service: NAME, namespace });
  return { mongo, bus };
}

function composeBackup(connection: Connection, secrets: SecretBox, deps: Deps) {
  return backupHandlers(new StoreBackup(connection, backupRules, secrets), {
    projects: {
      documents: new ProjectRestore(connection, projectRules, backupRules, (project) =>
        finishRestoredTeams(deps, project),
      ),
    },
  });
}

/**
 * @param namespace separates systems that share one event server (tests)
 * @param now clock in milliseconds since the epoch
 */
export async function compose(
  config: Config,
  namespace?: string,
  now: () => number = Date.now,
): Promise<IdentityService> {
  const { mongo, bus } = await connectEngines(config, namespace);
  const { connection } = mongo;
  const onError = (error: Error) => logger.warn({ err: error }, 'redis is unavailable');
  const redis = connectRedis(config.REDIS_URL, onError, engineTlsFiles(config));
  const redisConnection = redisDependency(redis);
  const tls = openTls(tlsFiles(config));
  const catalog = createClient('catalog', config.CATALOG_ADDRESS, tls);
  const own = ownCaller(NAME, config.PARLANCE_SERVICE_SECRET);

  const { stores, announcer } = await openStores(connection, bus, (name) => bumpGeneration(redis, name));
  const { progress, ...entities } = stores;
  const secrets = new SecretBox(config.PARLANCE_ENCRYPTION_KEY);
  const componentLists = componentListProjectsClient(catalog, own);
  const identity: Deps = { ...entities, componentLists, secrets, now, ...(await settingsOf(config)) };
  await bootstrap(identity);
  announcer.start();
  await bus.consume<(typeof structurePayloads)[number]>({
    durable: 'identity-structure',
    payloads: structurePayloads,
    handle: structureConsumer(identity),
  });
  const notifications = await startNotifications(config, progress, bus, identity, { catalog, tls, ownCaller: own });
  const server = await serve({
    name: NAME,
    listen: config.GRPC_LISTEN,
    serviceSecret: config.PARLANCE_SERVICE_SECRET,
    tls,
    implementation: handlers(identity),
    completing: reportsAllProblems,
    backup: composeBackup(connection, secrets, identity),
  });
  logger.info({ port: server.port }, 'identity listens');
  return {
    port: server.port,
    ready: { mongo: mongo.ping, nats: () => bus.connected() },
    optional: { redis: redisConnection.check },
    dependencies: { mongo: mongo.dependency, nats: bus.dependency(), redis: redisConnection },
    relay: () => announcer.relayOnce(0),
    notify: () => notifications.once(),
    async drain(withinMs) {
      await server.drain(withinMs);
      await bus.drain();
      await notifications.stop();
      await announcer.stop();
    },
    async close() {
      await bus.close();
      catalog.close();
      redis.disconnect();
      await connection.close();
    },
  };
}
