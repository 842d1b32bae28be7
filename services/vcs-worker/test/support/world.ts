import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signCaller, type Caller } from '@parlance/access';
import type { catalog, vcsWorker } from '@parlance/contracts';
import { EventBus, newEvent, type IncomingEvent, type PayloadName } from '@parlance/events';
import { createClient, ownCaller, type CallOptions, type Client } from '@parlance/grpc-kit';
import { isServiceError } from '@parlance/errors';
import { engines, GitRemote, type Files } from '@parlance/testing';
import { createConnection, type Connection } from 'mongoose';
import { compose, type ComposeExtras, type VcsWorker } from '../../src/compose';
import { readConfig } from '../../src/config';
import { MediaStandIn } from './media-stand-in';
import { TranslationStandIn } from './translation-stand-in';
import { CatalogStandIn } from './catalog-stand-in';
import { SECRET } from './stand-in';

/** A PO file with the given texts. */
export const po = (texts: Record<string, string>, header = 'Language: cs\\n'): string =>
  [
    `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"${header}"\n`,
    ...Object.entries(texts).map(([source, target]) => `msgid "${source}"\nmsgstr "${target}"\n`),
  ].join('\n');

export const pot = po({ One: '', Two: '', Three: '' }, 'Project-Id-Version: x\\n');
/** Comments keep the strings far enough apart for git to merge neighbouring changes. */
export const texts = (changed: Record<string, string> = {}) =>
  po({ One: 'jedna', Two: 'dvě', Three: 'tři', ...changed });

const person: Caller = {
  userId: 7,
  username: 'ann',
  fullName: 'Ann',
  email: 'ann@example.com',
  isSuperuser: true,
  isBot: false,
  anonymous: false,
  grants: [],
};

let worlds = 0;

export interface Started {
  worker: VcsWorker;
  client: Client<'vcs-worker'>;
  folder: string;
}

/** A vcs-worker on real engines and real git, with gRPC stand-ins for other services. */
export class World {
  readonly catalog = new CatalogStandIn();
  readonly translation = new TranslationStandIn();
  readonly media = new MediaStandIn();
  readonly events: IncomingEvent[] = [];
  /** The git host of the current test. */
  remote = new GitRemote();
  url = '';
  private ids = 0;
  store!: Connection;
  bus!: EventBus;
  private waiting: (() => void)[] = [];
  private readonly started: Started[] = [];
  private namespace = '';
  private database = '';
  readonly admin: CallOptions = { as: signCaller(person, SECRET, 600_000), timeoutMs: 50_000 };
  readonly stranger: CallOptions = {
    as: signCaller({ ...person, userId: 9, isSuperuser: false }, SECRET, 600_000),
    timeoutMs: 50_000,
  };
  readonly process: CallOptions = { as: ownCaller('catalog', SECRET)(), timeoutMs: 50_000 };

  static async start(): Promise<World> {
    const world = new World();
    const { namespace, natsUrl, mongoUri } = await engines();
    world.namespace = `${namespace}w${++worlds}`;
    world.database = mongoUri(`vcs${worlds}`);
    await Promise.all([world.catalog.start(), world.translation.start(), world.media.start()]);
    world.store = await createConnection(world.database).asPromise();
    world.bus = await EventBus.connect({ url: natsUrl, service: 'vcs-worker-test', namespace: world.namespace });
    await world.bus.consume({
      durable: 'vcs-worker-test',
      payloads: ['changeMade', 'componentLockRequested'],
      batch: 50,
      handle: async (events) => {
        world.events.push(...events);
        for (const wake of world.waiting.splice(0)) wake();
      },
    });
    return world;
  }

  /** A new git host with initial files, and an unused component id. */
  async fresh(files: Files): Promise<number> {
    this.remote.close();
    this.remote = new GitRemote();
    this.remote.commit(files);
    this.url = await this.remote.serve();
    this.translation.current = ++this.ids;
    return this.ids;
  }

  /** Starts a worker with its own disk. */
  async worker(settings: Record<string, string> = {}, extras: ComposeExtras = {}): Promise<Started> {
    const { natsUrl, redisUrl } = await engines();
    const folder = mkdtempSync(join(tmpdir(), 'parlance-worker-'));
    const config = readConfig({
      MONGODB_URI: this.database,
      NATS_URL: natsUrl,
      REDIS_URL: redisUrl,
      GRPC_LISTEN: '127.0.0.1:0',
      PARLANCE_SERVICE_SECRET: SECRET,
      CATALOG_ADDRESS: `127.0.0.1:${this.catalog.port}`,
      TRANSLATION_ADDRESS: `127.0.0.1:${this.translation.port}`,
      MEDIA_ADDRESS: `127.0.0.1:${this.media.port}`,
      PARLANCE_WORK_DIR: folder,
      PARLANCE_ALLOW_PRIVATE_REMOTES: 'true',
      VCS_WORKER_LEASE_SECONDS: '2',
      VCS_WORKER_COMMIT_CHECK_SECONDS: '3600',
      ...settings,
    });
    const worker = await compose(config, { namespace: this.namespace, ...extras });
    const one = { worker, client: createClient('vcs-worker', `127.0.0.1:${worker.port}`), folder };
    this.started.push(one);
    return one;
  }

  async stop(one: Started): Promise<void> {
    this.started.splice(this.started.indexOf(one), 1);
    one.client.close();
    await one.worker.drain(15_000);
    await one.worker.close();
    rmSync(one.folder, { recursive: true, force: true });
  }

  /** Waits for an event and returns it. */
  async event<N extends PayloadName>(
    name: N,
    matches: (event: IncomingEvent<N>) => boolean = () => true,
  ): Promise<IncomingEvent<N>> {
    for (;;) {
      const found = this.events.find((event) => event.payloadName === name && matches(event as never));
      if (found) return found as never;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  change(action: number, component: number): Promise<IncomingEvent<'changeMade'>> {
    return this.event(
      'changeMade',
      (event) => event.payload.action === action && event.payload.componentId === component,
    );
  }

  /** Polls a task until it has ended. */
  async ended(one: Started, id: string): Promise<vcsWorker.Task__Output> {
    for (;;) {
      const { task } = await one.client.getTask({ id }, this.process);
      if (task!.completed) return task!;
    }
  }

  prepareRequest(settings: catalog.Component): vcsWorker.PrepareRepositoryRequest {
    const {
      vcs = 'git',
      repo = this.url,
      branch = '',
      push = '',
      filemask = 'po/*.po',
      template,
      newBase,
      linkedComponentId,
    } = settings;
    return {
      vcs,
      repo,
      branch,
      push,
      filemask,
      fileFormat: 'po',
      languageRegex: '^[^.]+$',
      newLang: 'add',
      sourceLanguage: 'en',
      fileFormatParamsJson: '{}',
      ...(template ? { template } : {}),
      ...(newBase ? { newBase } : {}),
      ...(linkedComponentId ? { linkedComponentId } : {}),
    };
  }

  /** Prepares, stores and imports a component, as the catalog and this service do. */
  async component(one: Started, id: number, settings: catalog.Component = {}): Promise<vcsWorker.Task__Output> {
    const prepared = await one.client.prepareRepository(this.prepareRequest(settings), this.process);
    return this.imported(one, id, settings, prepared);
  }

  async imported(
    one: Started,
    id: number,
    settings: catalog.Component,
    prepared: { taskId: string; branch: string },
  ): Promise<vcsWorker.Task__Output> {
    this.catalog.put({ repo: this.url, ...settings, id, branch: prepared.branch });
    await this.bus.publish(
      newEvent(
        'catalog',
        'componentCreated',
        { componentId: id, projectId: 1, taskId: prepared.taskId, userId: 7 },
        id,
      ),
    );
    return this.ended(one, prepared.taskId);
  }

  /** Changes settings of a component, as the catalog and this service do. */
  async changed(one: Started, id: number, settings: catalog.Component): Promise<vcsWorker.Task__Output> {
    const after = { ...this.catalog.components.get(id), ...settings, id };
    const { taskId, branch } = await one.client.prepareRepository(
      { ...this.prepareRequest(after), componentId: id },
      this.process,
    );
    this.catalog.put({ ...after, branch });
    const changed = Object.keys(settings);
    await this.bus.publish(
      newEvent('catalog', 'componentUpdated', { componentId: id, projectId: 1, changed, taskId, userId: 7 }, id),
    );
    return this.ended(one, taskId);
  }

  run(one: Started, operation: vcsWorker.Operation, ...ids: number[]): Promise<vcsWorker.RunOperationResponse__Output> {
    return one.client.runOperation({ operation, componentIds: ids }, this.admin);
  }

  status(one: Started, ...ids: number[]): Promise<vcsWorker.GetRepositoryStatusResponse__Output> {
    return one.client.getRepositoryStatus({ componentIds: ids }, this.admin);
  }

  /** A file of a component's repository, read through a worker's API. */
  async read(one: Started, id: number, path: string): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const { chunk } of one.client.readFile({ componentId: id, path }, this.process)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  async close(): Promise<void> {
    for (const one of [...this.started]) await this.stop(one);
    await this.bus.close();
    await this.store.dropDatabase();
    await this.store.close();
    await Promise.all([this.catalog.stop(), this.translation.stop(), this.media.stop()]);
    this.remote.close();
  }
}

/** Problems of a rejected call: detail by field. */
export async function problemsOf(call: Promise<unknown>): Promise<Record<string, string>> {
  try {
    await call;
  } catch (error) {
    if (isServiceError(error, 'INVALID'))
      return Object.fromEntries(error.problems.map((problem) => [String(problem.attr), problem.detail]));
    throw error;
  }
  throw new Error('The call was not rejected.');
}
