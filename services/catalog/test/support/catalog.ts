import { randomBytes } from 'node:crypto';
import { signCaller, type Grant, type Caller } from '@parlance/access';
import type { catalog as proto, hooks, identity, vcsWorker } from '@parlance/contracts';
import { loadService, type ServiceName } from '@parlance/contracts';
import { fieldErrors, isServiceError, ServiceError, type FieldProblem } from '@parlance/errors';
import { EventBus, newEvent, type IncomingEvent, type OutgoingEvent, type PayloadName } from '@parlance/events';
import {
  createClient,
  ownCaller,
  serve,
  type CallOptions,
  type Client,
  type Implementation,
  type RunningServer,
} from '@parlance/grpc-kit';
import { createConnection } from 'mongoose';
import { compose, type CatalogService } from '../../src/compose';
import { settings } from '../../src/config';
import { engines } from './engines';

const SECRET = 'a secret of tests that is long enough';

/** A gRPC server that implements some methods of a service; the others are unimplemented. */
async function standIn<S extends ServiceName>(name: S, answers: Partial<Implementation<S>>): Promise<RunningServer> {
  const implementation: Record<string, unknown> = {};
  for (const method of Object.keys(loadService(name).client.service)) {
    implementation[method[0]!.toLowerCase() + method.slice(1)] = () => Promise.reject(new ServiceError('UNAVAILABLE'));
  }
  return serve({
    name,
    listen: '127.0.0.1:0',
    serviceSecret: SECRET,
    implementation: { ...implementation, ...answers } as Implementation<S>,
  });
}

/** Recorded calls to other services, and their configured responses. */
export interface Neighbours {
  prepared: vcsWorker.PrepareRepositoryRequest__Output[];
  archives: Buffer[];
  /** Problems that vcs-worker reports. */
  problems: FieldProblem[];
  /** Components whose repositories cannot be shared yet. */
  notReady: Set<number>;
  teams: identity.EnsureProjectTeamsRequest__Output[];
  /** Paths that exist in every repository. */
  files: Set<string>;
  /** Webhooks of the hooks service, by add-on. */
  webhooks: Map<number, hooks.CreateSubscriptionRequest__Output>;
}

export interface World {
  client: Client<'catalog'>;
  neighbours: Neighbours;
  service: CatalogService;
  mongodbUri: string;
  bus: EventBus;
  redisUrl: string;
  admin: CallOptions;
  process: CallOptions;
  anonymous: CallOptions;
  member(userId: number, grants: Grant[], extra?: Partial<Caller>): CallOptions;
  /** Starts another catalog on the same stores. */
  another(): Promise<{ service: CatalogService; client: Client<'catalog'> }>;
  /** Waits for an event and returns it. */
  event<N extends PayloadName>(name: N, matches?: (event: IncomingEvent<N>) => boolean): Promise<IncomingEvent<N>>;
  /** The stored form of a document. */
  stored(nodeId: number): Promise<unknown>;
  storedAddon(id: number): Promise<unknown>;
  lockRequest(componentId: number, locked: boolean, reason: string): OutgoingEvent;
  close(): Promise<void>;
}

const anonymousCaller: Caller = {
  userId: 0,
  username: 'anonymous',
  fullName: '',
  email: '',
  isSuperuser: false,
  isBot: false,
  anonymous: true,
  grants: [],
};

/** A catalog with its own engines and gRPC stand-ins for vcs-worker and identity. */
export async function startWorld(env: Record<string, string> = {}): Promise<World> {
  const name = `catalog_${randomBytes(4).toString('hex')}`;
  const { mongodbUri, natsUrl, redisUrl } = await engines(name);
  const neighbours: Neighbours = {
    prepared: [],
    archives: [],
    problems: [],
    notReady: new Set(),
    teams: [],
    files: new Set(),
    webhooks: new Map(),
  };
  const prepare = (request: vcsWorker.PrepareRepositoryRequest__Output) => {
    neighbours.prepared.push(request);
    if (neighbours.problems.length > 0) throw fieldErrors(neighbours.problems);
    if (neighbours.notReady.has(request.linkedComponentId))
      throw fieldErrors([{ attr: 'repo', code: 'invalid', detail: 'The repository does not exist yet.' }]);
    return { taskId: `task-${neighbours.prepared.length}`, branch: request.branch || 'main', files: [] };
  };
  const vcs = await standIn('vcs-worker', {
    prepareRepository: (request) => Promise.resolve().then(() => prepare(request)),
    async prepareRepositoryFromFile(requests) {
      const chunks: Buffer[] = [];
      let header: vcsWorker.PrepareRepositoryRequest__Output | null = null;
      for await (const message of requests) {
        header ??= message.header;
        chunks.push(message.chunk);
      }
      neighbours.archives.push(Buffer.concat(chunks));
      return prepare(header!);
    },
    async *readFile({ path }) {
      if (!neighbours.files.has(path)) throw new ServiceError('NOT_FOUND');
      yield { chunk: Buffer.from('x') };
    },
  });
  const identityServer = await standIn('identity', {
    async ensureProjectTeams(request) {
      neighbours.teams.push(request);
      return { groups: [] };
    },
  });
  const hooksServer = await standIn('hooks', {
    async createSubscription(request) {
      if (request.webhookUrl.includes('//10.'))
        throw fieldErrors([{ attr: 'webhook_url', code: 'invalid', detail: 'Private.' }]);
      if (!request.validateOnly) neighbours.webhooks.set(request.addonId, request);
      return {};
    },
    async deleteSubscription({ addonId }) {
      neighbours.webhooks.delete(addonId);
      return {};
    },
  });
  const config = settings.parse({
    MONGODB_URI: mongodbUri,
    NATS_URL: natsUrl,
    REDIS_URL: redisUrl,
    GRPC_LISTEN: '127.0.0.1:0',
    PARLANCE_SERVICE_SECRET: SECRET,
    PARLANCE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    IDENTITY_ADDRESS: `127.0.0.1:${identityServer.port}`,
    VCS_WORKER_ADDRESS: `127.0.0.1:${vcs.port}`,
    HOOKS_ADDRESS: `127.0.0.1:${hooksServer.port}`,
    ...env,
  });
  const started: { service: CatalogService; client: Client<'catalog'> }[] = [];
  const start = async () => {
    const service = await compose(config, name);
    const one = { service, client: createClient('catalog', `127.0.0.1:${service.port}`) };
    started.push(one);
    return one;
  };
  const { service, client } = await start();
  const bus = await EventBus.connect({ url: natsUrl, service: 'catalog-test', namespace: name });
  const seen: IncomingEvent[] = [];
  const wake: (() => void)[] = [];
  await bus.consume({
    durable: 'catalog-test',
    payloads: [
      'projectCreated',
      'projectUpdated',
      'projectDeleted',
      'componentCreated',
      'componentUpdated',
      'componentDeleted',
      'changeMade',
      'addonChanged',
    ],
    batch: 50,
    async handle(events) {
      seen.push(...events);
      for (const w of wake.splice(0)) w();
    },
  });
  const storedIn = async (collection: string, id: number): Promise<unknown> => {
    const connection = await createConnection(mongodbUri).asPromise();
    const document = await connection.collection<{ _id: number }>(collection).findOne({ _id: id });
    await connection.close();
    return document;
  };
  const as = (caller: Caller): CallOptions => ({
    as: signCaller(caller, SECRET, 600_000),
    timeoutMs: 20_000,
  });
  return {
    client,
    neighbours,
    service,
    mongodbUri,
    redisUrl,
    bus,
    admin: as({ ...anonymousCaller, userId: 1, username: 'admin', isSuperuser: true, anonymous: false }),
    process: { as: ownCaller('vcs-worker', SECRET)(), timeoutMs: 20_000 },
    anonymous: as({ ...anonymousCaller, grants: [{ permissions: [], projects: 'public' }] }),
    member: (userId, grants, extra) =>
      as({ ...anonymousCaller, userId, username: `user${userId}`, anonymous: false, grants, ...extra }),
    another: start,
    async event(payloadName, matches = () => true) {
      for (;;) {
        const found = seen.find((e) => e.payloadName === payloadName && matches(e as never));
        if (found) return found as never;
        await new Promise<void>((resolve) => {
          wake.push(resolve);
        });
      }
    },
    stored: (nodeId) => storedIn('nodes', nodeId),
    storedAddon: (id) => storedIn('addons', id),
    lockRequest: (componentId, locked, reason) =>
      newEvent('vcs-worker', 'componentLockRequested', { componentId, locked, reason }, componentId),
    async close() {
      for (const one of started) {
        one.client.close();
        await one.service.drain(15_000);
        await one.service.close();
      }
      await bus.close();
      await Promise.all([vcs.drain(100), identityServer.drain(100), hooksServer.drain(100)]);
    },
  };
}

/** Problems of a rejected call, as attr: code. */
export async function problemsOf(call: Promise<unknown>): Promise<Record<string, string>> {
  try {
    await call;
  } catch (error) {
    if (isServiceError(error, 'INVALID'))
      return Object.fromEntries(error.problems.map((p) => [String(p.attr), p.code]));
    throw error;
  }
  throw new Error('the call was not rejected');
}

/** Reason of a rejected call. */
export async function reasonOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'OK',
    (error: unknown) => (isServiceError(error) ? error.reason : Promise.reject(error as Error)),
  );
}

export const aProject = (slug: string, more: proto.ProjectInput = {}): proto.ProjectInput => ({
  name: slug.toUpperCase(),
  slug,
  web: 'https://example.com/',
  ...more,
});
export const aComponent = (slug: string, more: proto.ComponentInput = {}): proto.ComponentInput => ({
  name: slug.toUpperCase(),
  slug,
  repo: `https://git.example.com/acme/${slug}.git`,
  filemask: 'po/*.po',
  newBase: 'po/messages.pot',
  fileFormat: 'po',
  ...more,
});

/** Creates a project and returns its id. */
export async function makeProject(world: World, slug: string, more?: proto.ProjectInput): Promise<number> {
  return (await world.client.createProject({ project: aProject(slug, more) }, world.admin)).project!.id;
}

/** Creates a component and returns it. */
export async function makeComponent(
  world: World,
  projectId: number,
  slug: string,
  more?: proto.ComponentInput,
): Promise<proto.Component__Output> {
  return (await world.client.createComponent({ projectId, component: aComponent(slug, more) }, world.admin)).component!;
}

/** Starts a world with a project for the tests of a file. */
export function worldWithProject(give: (world: World, project: number) => void): void {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    give(world, await makeProject(world, 'main'));
  });
  afterAll(() => world.close());
}

/** Creates a category and returns its id. */
export async function makeCategory(world: World, slug: string, projectId: number, categoryId = 0): Promise<number> {
  const category = { name: slug.toUpperCase(), slug, projectId, categoryId };
  return (await world.client.createCategory({ category }, world.admin)).category!.id;
}
