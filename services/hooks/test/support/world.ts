import { randomBytes } from 'node:crypto';
import { signCaller, type Caller } from '@parlance/access';
import type { catalog, events, translation } from '@parlance/contracts';
import { EventBus, type IncomingEvent } from '@parlance/events';
import { createClient, serve, type Client, type Implementation, type RunningServer } from '@parlance/grpc-kit';
import { ServiceError } from '@parlance/errors';
import { engines } from '@parlance/testing';
import { compose, type ComposeOptions } from '../../src/compose';

export const SECRET = 'a secret that only this test knows 32+';

const anonymousCaller: Caller = {
  userId: 0,
  username: '',
  fullName: '',
  email: '',
  isSuperuser: false,
  isBot: false,
  anonymous: true,
  grants: [],
};
export const anonymous = signCaller(anonymousCaller, SECRET, 3600_000);
export const admin = signCaller(
  { ...anonymousCaller, userId: 1, username: 'admin', isSuperuser: true, anonymous: false },
  SECRET,
  3600_000,
);
export const member = signCaller(
  { ...anonymousCaller, userId: 2, username: 'member', anonymous: false },
  SECRET,
  3600_000,
);

export interface KnownComponent {
  id: number;
  project: { id: number; slug: string; private?: boolean; enableHooks?: boolean; secret?: string };
  path: string;
  repo: string;
  branch: string;
}

/** A gRPC server that implements some methods of a service. */
function standIn<S extends 'catalog' | 'translation'>(methods: Partial<Implementation<S>>): Implementation<S> {
  return new Proxy(methods, {
    get: (target, name) => Reflect.get(target, name) ?? (() => Promise.reject(new ServiceError('METHOD_NOT_ALLOWED'))),
  }) as object as Implementation<S>;
}

/** The catalog's methods for hooks: components match by their exact address or its suffix. */
function catalogOf(known: readonly KnownComponent[]): Implementation<'catalog'> {
  const projectOf = (c: KnownComponent) => ({
    id: c.project.id,
    slug: c.project.slug,
    accessControl: c.project.private ? 100 : 0,
    enableHooks: c.project.enableHooks ?? true,
    hasHookSecret: Boolean(c.project.secret),
  });
  const seen = (c: KnownComponent, caller: Caller) => caller.isSuperuser || !c.project.private;
  return standIn<'catalog'>({
    async matchRepositories({ candidateUrls, fullName, branch, projectSlug, componentPath }) {
      const stated = candidateUrls.length > 0 || fullName !== '';
      const found = known.filter(
        (c) =>
          (!stated || candidateUrls.includes(c.repo) || (fullName !== '' && c.repo.endsWith(`/${fullName}.git`))) &&
          (!projectSlug || c.project.slug === projectSlug) &&
          (!componentPath || c.path === componentPath),
      );
      const matches = found.map((c): catalog.RepositoryMatch => {
        const branchMatches = !branch || branch === c.branch;
        return {
          component: { id: c.id, projectId: c.project.id, projectSlug: c.project.slug, path: c.path },
          branchMatches,
          enabled: branchMatches && (c.project.enableHooks ?? true),
          hookSecret: c.project.secret ?? '',
        };
      });
      return { matches };
    },
    async batchGetComponents({ ids }, { caller }) {
      const found = known.filter((c) => ids.includes(c.id) && seen(c, caller));
      return {
        components: found.map((c) => ({
          id: c.id,
          projectId: c.project.id,
          projectSlug: c.project.slug,
          path: c.path,
        })),
        projects: found.map(projectOf),
      };
    },
    async batchGetProjects({ ids }, { caller }) {
      return { projects: known.filter((c) => ids.includes(c.project.id) && seen(c, caller)).map(projectOf) };
    },
    async getProject({ id }, { caller }) {
      const found = known.find((c) => c.project.id === id && seen(c, caller));
      if (!found) throw new ServiceError('NOT_FOUND');
      return { project: projectOf(found) };
    },
  });
}

/** A running hooks service with stand-ins for other services. */
export interface World {
  client: Client<'hooks'>;
  options: ComposeOptions;
  bus: EventBus;
  relayOnce: (graceMs?: number) => Promise<number>;
  /** The history returned by the translation service. */
  changes: translation.Change[];
  /** Published events, oldest first. */
  announced(): Promise<{ pushed: events.RepositoryPushed__Output[]; changes: events.ChangeMade__Output[] }>;
  stop(): Promise<void>;
}

let count = 0;

export async function startWorld(known: readonly KnownComponent[], more: Partial<ComposeOptions> = {}): Promise<World> {
  const all = await engines();
  const name = `hooks${++count}`;
  const changes: translation.Change[] = [];
  const servers: RunningServer[] = [
    await serve({ name: 'catalog', listen: '127.0.0.1:0', serviceSecret: SECRET, implementation: catalogOf(known) }),
    await serve({
      name: 'translation',
      listen: '127.0.0.1:0',
      serviceSecret: SECRET,
      implementation: standIn<'translation'>({
        async listChanges({ projectId, afterMs, page }) {
          const found = changes
            .filter((c) => (!projectId || c.projectId === projectId) && Number(c.timeMs) >= afterMs)
            .reverse();
          const size = page!.pageSize;
          return { changes: found.slice((page!.page - 1) * size, page!.page * size), total: found.length };
        },
      }),
    }),
  ];
  const options: ComposeOptions = {
    mongodbUri: all.mongoUri(name),
    natsUrl: all.natsUrl,
    grpcListen: '127.0.0.1:0',
    serviceSecret: SECRET,
    encryptionKey: randomBytes(32).toString('base64'),
    catalogAddress: `127.0.0.1:${servers[0]!.port}`,
    translationAddress: `127.0.0.1:${servers[1]!.port}`,
    hooksEnabled: true,
    allowPrivate: true,
    maxWebhooks: 100,
    mergeMs: 60_000,
    namespace: `${all.namespace}${name}`,
    ...more,
  };
  const bus = await EventBus.connect({ url: all.natsUrl, service: 'test', namespace: options.namespace });
  const received: IncomingEvent<'repositoryPushed' | 'changeMade'>[] = [];
  const listener = bus.follow({
    name: 'test',
    payloads: ['repositoryPushed', 'changeMade'],
    after: 0,
    apply: (event) => void received.push(event),
    restart: () => Promise.resolve(0),
  });
  const deps = await compose(options);
  const client = createClient('hooks', `127.0.0.1:${deps.server.port}`);
  return {
    client,
    options,
    bus,
    changes,
    relayOnce: deps.relayOnce,
    async announced() {
      if (!(await listener.caughtUp(120_000))) throw new Error('the events cannot be read');
      return {
        pushed: received
          .filter((e) => e.payloadName === 'repositoryPushed')
          .map((e) => e.payload as events.RepositoryPushed__Output),
        changes: received
          .filter((e) => e.payloadName === 'changeMade')
          .map((e) => e.payload as events.ChangeMade__Output),
      };
    },
    async stop() {
      client.close();
      await deps.drain(15_000);
      await deps.close();
      await bus.close();
      await Promise.all(servers.map((s) => s.drain(15_000)));
    },
  };
}
