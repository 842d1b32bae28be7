import type { engineTlsFiles } from '@parlance/config';
import { EventBus, OutboxRelay } from '@parlance/events';
import {
  backupHandlers,
  createClient,
  openTls,
  ownCaller,
  serve,
  type BackedUpObjects,
  type Implementation,
  type RunningServer,
  type Tls,
  type TlsFiles,
} from '@parlance/grpc-kit';
import { ObjectMissingError, S3ObjectStore, type ObjectStore, type S3Options } from '@parlance/object-store';
import type { Connection } from 'mongoose';
import { connectContents, type ContentGenerations } from '@parlance/redis';
import type { RunningProcess } from '@parlance/telemetry';
import { FileAdmission } from '@parlance/workload';
import { IdSequences, ProjectRestore, StoreBackup } from '@parlance/store-kit';
import { Cleanup } from './app/cleanup';
import { makeCatalogClient } from './clients/catalog-client';
import { makeTranslationClient } from './clients/translation-client';
import { FontReader } from './app/fonts/font-reader';
import { prepareImage } from './app/prepare-image';
import { SOURCE } from './app/screenshots';
import { structureConsumer } from './consumers/structure';
import { completing, makeHandlers } from './grpc/handlers';
import { backupRules } from './store/backup-rules';
import { makeModels, type Models } from './store/models';
import { projectRules } from './store/project-rules';
import { openStore } from '@parlance/store-kit';
import { MongoFontStore } from './store/font-store';
import { MongoOutboxStore } from './store/outbox-store';
import { MongoScreenshotStore } from './store/screenshot-store';
import { MongoUploadStore } from './store/upload-store';

/** Memory for images and fonts being received, decoded and stored, for about ten at a time. */
const UPLOAD_MEMORY = { totalBytes: 192 * 1024 * 1024, callerShare: 0.5, maxWaiting: 64, maxWaitMs: 15_000 };

/** Settings of the service, from the environment or a test. */
export interface ComposeOptions {
  mongodbUri: string;
  /** Timeout of a store query, in milliseconds; default 5 000. */
  queryTimeoutMs?: number;
  redisUrl: string;
  natsUrl: string;
  natsReplicas?: number;
  natsNamespace?: string;
  grpcListen: string;
  serviceSecret: string;
  /** Mutual TLS between processes; absent: plaintext. */
  tls?: TlsFiles | undefined;
  /** Certificates for engines whose addresses use TLS. */
  engineTls?: ReturnType<typeof engineTlsFiles>;
  catalogAddress: string;
  translationAddress: string;
  s3: S3Options;
  /** Separates systems that share one event server (tests). */
  namespace?: string;
}

/** Images and font files as a backup reads and writes them. */
function backedUpObjects(objects: ObjectStore): BackedUpObjects {
  return {
    list: () => objects.list(),
    async get(key) {
      const found = await objects.head(key);
      if (!found) return undefined;
      try {
        return { contentType: found.contentType, bytes: await objects.get(key) };
      } catch (error) {
        if (error instanceof ObjectMissingError) return undefined;
        throw error;
      }
    },
    put: (key, contentType, bytes) => objects.put(key, bytes, { contentType }),
    delete: (key) => objects.delete(key),
  };
}

function composeBackup(connection: Connection, objects: S3ObjectStore, screenshots: MongoScreenshotStore) {
  const documents = new ProjectRestore(connection, projectRules, backupRules, (project) =>
    screenshots.invalidateProject(project),
  );
  return backupHandlers(new StoreBackup(connection, backupRules), {
    objects: backedUpObjects(objects),
    projects: { documents },
  });
}

const connectStore = ({ mongodbUri, queryTimeoutMs, engineTls }: ComposeOptions) =>
  openStore(mongodbUri, makeModels, { queryTimeoutMs, engineTls, migrations: [] });

function connectBus({ natsUrl, natsReplicas, natsNamespace, namespace, engineTls }: ComposeOptions): Promise<EventBus> {
  return EventBus.connect({
    url: natsUrl,
    service: SOURCE,
    replicas: natsReplicas,
    installation: natsNamespace,
    namespace,
    engineTls,
  });
}

/** Clients of the other services. */
function connectServices({ catalogAddress, translationAddress, serviceSecret }: ComposeOptions, tls: Tls | undefined) {
  const catalog = createClient('catalog', catalogAddress, tls);
  const translation = createClient('translation', translationAddress, tls);
  return {
    clients: {
      catalog: makeCatalogClient(catalog),
      translations: makeTranslationClient(translation, ownCaller(SOURCE, serviceSecret)),
    },
    close() {
      catalog.close();
      translation.close();
    },
  };
}

function composeStores(models: Models, contents: ContentGenerations) {
  const ids = new IdSequences(models.counters.collection);
  return {
    screenshots: new MongoScreenshotStore(models, ids, contents),
    fonts: new MongoFontStore(models, ids, contents),
    uploads: new MongoUploadStore(models),
    outbox: new MongoOutboxStore(models, contents),
  };
}

function startServer(
  { grpcListen, serviceSecret }: ComposeOptions,
  tls: Tls | undefined,
  implementation: Implementation<'media'>,
  backup: Implementation<'backup'>,
): Promise<RunningServer> {
  return serve({ name: 'media', listen: grpcListen, serviceSecret, tls, implementation, completing, backup });
}

/** Composition root of the service. */
export async function compose(
  options: ComposeOptions,
): Promise<RunningProcess & { server: RunningServer; cleanup: Cleanup }> {
  const mongo = await connectStore(options);
  const objects = new S3ObjectStore(options.s3);
  await objects.ensureBucket();
  const bus = await connectBus(options);
  const tls = openTls(options.tls);
  const services = connectServices(options, tls);
  const redis = connectContents(options.redisUrl, options.engineTls);
  const { outbox, ...stores } = composeStores(mongo.models, redis.contents);
  const fontReader = new FontReader();
  const relay = new OutboxRelay(bus, outbox);
  const cleanup = new Cleanup([stores.screenshots, stores.fonts], stores.uploads, objects);
  const deps = {
    ...stores,
    ...services.clients,
    objects,
    cleanup,
    relay,
    prepare: prepareImage,
    readFont: fontReader.read,
  };

  await bus.consume(structureConsumer(stores.screenshots, deps, cleanup));
  relay.start();
  cleanup.start();
  const backup = composeBackup(mongo.connection, objects, stores.screenshots);
  const server = await startServer(options, tls, makeHandlers(deps, new FileAdmission(UPLOAD_MEMORY)), backup);
  return {
    server,
    cleanup,
    ready: { store: mongo.ping, events: () => bus.connected(), objects: () => objects.reachable() },
    optional: { redis: redis.dependency.check },
    dependencies: {
      store: mongo.dependency,
      events: bus.dependency(),
      objects: objects.dependency(),
      redis: redis.dependency,
    },
    async drain(withinMs) {
      await server.drain(withinMs);
      await bus.drain();
      await relay.stop();
      await cleanup.stop();
      await fontReader.close();
    },
    async close() {
      await bus.close();
      services.close();
      redis.close();
      await mongo.close();
    },
  };
}
