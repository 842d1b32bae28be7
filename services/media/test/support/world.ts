import { serviceCaller, signCaller, type Permission, type Caller } from '@parlance/access';
import type { events, media } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { EventBus } from '@parlance/events';
import { chunks, createClient, serve, type Client, type Implementation, type RunningServer } from '@parlance/grpc-kit';
import { S3ObjectStore } from '@parlance/object-store';
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
const signed = (caller: Caller) => signCaller(caller, SECRET, 3600_000);

/** A caller with these permissions on project 1. */
export const userWith = (...permissions: Permission[]) =>
  signed({
    ...anonymousCaller,
    userId: 7,
    username: 'somebody',
    anonymous: false,
    grants: [{ permissions, projects: [1] }],
  });
export const admin = signed({ ...anonymousCaller, userId: 1, username: 'admin', isSuperuser: true, anonymous: false });
export const service = signed(serviceCaller('test'));

/** Translations: 101 and 102 of component 10 in project 1, 201 of component 20 in the private project 2. */
const translations = [
  { id: 101, componentId: 10, projectId: 1, languageCode: 'en' },
  { id: 102, componentId: 10, projectId: 1, languageCode: 'cs' },
  { id: 201, componentId: 20, projectId: 2, languageCode: 'en' },
];
/** Unit 10105 is the fifth of translation 101, and so on. */
const translationOf = (unitId: number) => Math.floor(unitId / 100);

/** A gRPC server that implements some methods of a service. */
function standIn<S extends 'catalog' | 'translation'>(methods: Partial<Implementation<S>>): Implementation<S> {
  return new Proxy(methods, {
    get: (target, name) => Reflect.get(target, name) ?? (() => Promise.reject(new ServiceError('METHOD_NOT_ALLOWED'))),
  }) as object as Implementation<S>;
}

const projectsFor = (caller: Caller) =>
  [
    { id: 1, accessControl: 0 },
    { id: 2, accessControl: 100 },
  ].filter((p) => p.id === 1 || caller.isSuperuser);

const catalogStandIn = standIn<'catalog'>({
  async batchGetProjects({ ids }, { caller }) {
    return { projects: projectsFor(caller).filter((p) => ids.includes(p.id)) };
  },
  async batchGetComponents({ ids }, { caller }) {
    const projects = projectsFor(caller);
    const components = [
      { id: 10, projectId: 1 },
      { id: 20, projectId: 2 },
    ].filter((c) => ids.includes(c.id) && projects.some((p) => p.id === c.projectId));
    return { components, projects };
  },
});

const translationStandIn = standIn<'translation'>({
  async getTranslation({ id }) {
    const translation = translations.find((t) => t.id === id);
    if (!translation) throw new ServiceError('NOT_FOUND');
    return { translation };
  },
  async batchGetUnits({ ids }) {
    return { units: ids.filter((id) => id % 100 !== 99).map((id) => ({ id, translationId: translationOf(id) })) };
  },
});

export interface World {
  client: Client<'media'>;
  objects: S3ObjectStore;
  bus: EventBus;
  options: ComposeOptions;
  cleanup: Awaited<ReturnType<typeof compose>>['cleanup'];
  /** Keys of all objects in the bucket. */
  keys(): Promise<string[]>;
  announced(): Promise<events.ChangeMade__Output[]>;
  /** Ids of fonts that were announced as changed. */
  changedFonts(): Promise<number[]>;
  stop(): Promise<void>;
}

let count = 0;

export async function startWorld(): Promise<World> {
  const all = await engines();
  const name = `media${++count}`;
  const servers: RunningServer[] = [
    await serve({ name: 'catalog', listen: '127.0.0.1:0', serviceSecret: SECRET, implementation: catalogStandIn }),
    await serve({
      name: 'translation',
      listen: '127.0.0.1:0',
      serviceSecret: SECRET,
      implementation: translationStandIn,
    }),
  ];
  const options: ComposeOptions = {
    mongodbUri: all.mongoUri(name),
    redisUrl: all.redisUrl,
    natsUrl: all.natsUrl,
    grpcListen: '127.0.0.1:0',
    serviceSecret: SECRET,
    catalogAddress: `127.0.0.1:${servers[0]!.port}`,
    translationAddress: `127.0.0.1:${servers[1]!.port}`,
    s3: { ...all.s3, bucket: `${all.s3.bucket}-${count}` },
    namespace: `${all.namespace}${name}`,
  };
  const bus = await EventBus.connect({ url: all.natsUrl, service: 'test', namespace: options.namespace });
  const received: events.ChangeMade__Output[] = [];
  const fonts: number[] = [];
  const listener = bus.follow({
    name: 'test',
    payloads: ['changeMade', 'fontChanged'],
    after: 0,
    apply: ({ payload }) => void ('fontId' in payload ? fonts.push(payload.fontId) : received.push(payload)),
    restart: () => Promise.resolve(0),
  });
  const caughtUp = async () => {
    if (!(await listener.caughtUp(120_000))) throw new Error('the events cannot be read');
  };
  const deps = await compose(options);
  const client = createClient('media', `127.0.0.1:${deps.server.port}`);
  const objects = new S3ObjectStore(options.s3);
  return {
    client,
    objects,
    bus,
    options,
    cleanup: deps.cleanup,
    async keys() {
      const found: string[] = [];
      for await (const { key } of objects.list()) found.push(key);
      return found;
    },
    async announced() {
      await caughtUp();
      return received;
    },
    async changedFonts() {
      await caughtUp();
      return fonts;
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

export type NewScreenshot = Partial<media.CreateScreenshotHeader>;

/** Uploads a screenshot of translation 101. */
export async function create(
  world: World,
  bytes: Buffer,
  as = admin,
  more: NewScreenshot = {},
): Promise<media.Screenshot__Output> {
  async function* requests(): AsyncGenerator<media.CreateScreenshotRequest> {
    yield { header: { name: 'Login', componentId: 10, translationId: 101, filename: 'login.png', ...more } };
    for (const chunk of chunks(bytes)) yield { chunk };
  }
  return (await world.client.createScreenshot(requests(), { as })).screenshot!;
}

export async function replace(world: World, id: number, bytes: Buffer, as = admin): Promise<media.Screenshot__Output> {
  async function* requests(): AsyncGenerator<media.ReplaceImageRequest> {
    yield { header: { id, filename: 'other.gif' } };
    for (const chunk of chunks(bytes)) yield { chunk };
  }
  return (await world.client.replaceImage(requests(), { as })).screenshot!;
}

export async function read(
  world: World,
  id: number,
  range?: media.ByteRange,
  headerOnly = false,
): Promise<{ header: media.ReadImageHeader__Output; bytes: Buffer }> {
  let header: media.ReadImageHeader__Output | null = null;
  const parts: Buffer[] = [];
  for await (const message of world.client.readImage({ id, range, headerOnly }, { as: service })) {
    header ??= message.header;
    parts.push(message.chunk);
  }
  return { header: header!, bytes: Buffer.concat(parts) };
}
