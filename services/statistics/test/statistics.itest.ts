import { EventBus, newEvent, type OutgoingEvent } from '@parlance/events';
import { createClient, ownCaller, type Client } from '@parlance/grpc-kit';
import { compose } from '../src/compose';
import { engines, type Engines } from './support/engines';

const SECRET = 'a secret that only this test knows 32+';
const caller = ownCaller('test', SECRET);

type Running = Awaited<ReturnType<typeof compose>> & { client: Client<'statistics'> };

let where: Engines;
let bus: EventBus;
const running: Running[] = [];

async function start(): Promise<Running> {
  const deps = await compose({ ...where, grpcListen: '127.0.0.1:0', serviceSecret: SECRET });
  const client = createClient('statistics', `127.0.0.1:${deps.server.port}`);
  const process = { ...deps, client };
  running.push(process);
  return process;
}

async function stop(process: Running): Promise<void> {
  running.splice(running.indexOf(process), 1);
  process.client.close();
  await process.drain(15_000);
  await process.close();
}

/** Component c of project p has translations in 20 languages with ids c * 100 + n. */
function updated(translationId: number, revision: number, strings: number, more: object = {}): OutgoingEvent {
  const componentId = Math.floor(translationId / 100);
  const tally = { strings, words: strings * 3, chars: strings * 10 };
  return newEvent(
    'test',
    'translationUpdated',
    {
      translationId,
      componentId,
      projectId: 1 + (componentId % 2),
      languageCode: `l${translationId % 100}`,
      isSource: false,
      revision,
      counters: {
        all: tally,
        translated: { strings: revision, words: 0, chars: 0 },
        lastChangeMs: 1000 + revision,
        ...more,
      },
    },
    componentId,
  );
}

async function ask(
  process: Running,
  scope: object,
): Promise<{ all: number; translated: number; lastChangeMs: number; contentChanges: number }> {
  const { counters } = await process.client.getCounters({ scopes: [scope] }, { as: caller() });
  const c = counters[0]!;
  const { lastChangeMs, contentChanges } = c;
  return { all: c.all!.strings, translated: c.translated!.strings, lastChangeMs, contentChanges };
}

beforeEach(async () => {
  where = await engines();
  bus = await EventBus.connect({ url: where.natsUrl, service: 'test', namespace: where.namespace });
});

afterEach(async () => {
  await Promise.all([...running].map(stop));
  await bus.close();
});

describe('statistics', () => {
  it('an import is counted by the request that follows its last event', async () => {
    const service = await start();
    for (let n = 1; n <= 20; n++) await bus.publish(updated(100 + n, 1, 3500));
    const { counters } = await service.client.getCounters(
      {
        scopes: [
          { kind: 'SCOPE_KIND_COMPONENT', id: 1 },
          { kind: 'SCOPE_KIND_SITE' },
          { kind: 'SCOPE_KIND_PROJECT', id: 2 },
          { kind: 'SCOPE_KIND_LANGUAGE', languageCode: 'l3' },
          { kind: 'SCOPE_KIND_PROJECT_LANGUAGE', id: 2, languageCode: 'l3' },
          { kind: 'SCOPE_KIND_TRANSLATION', id: 107 },
          { kind: 'SCOPE_KIND_COMPONENTS', componentIds: [1, 99] },
          { kind: 'SCOPE_KIND_PROJECT', id: 77 },
        ],
      },
      { as: caller() },
    );
    expect(counters.map((c) => [c.all!.strings, c.all!.words, c.all!.chars])).toEqual([
      [70_000, 210_000, 700_000],
      [70_000, 210_000, 700_000],
      [70_000, 210_000, 700_000],
      [3500, 10_500, 35_000],
      [3500, 10_500, 35_000],
      [3500, 10_500, 35_000],
      [70_000, 210_000, 700_000],
      [0, 0, 0],
    ]);
  });

  it('every replica returns every write on the next request during a burst of edits', async () => {
    const [one, other] = [await start(), await start()];
    for (let revision = 1; revision <= 40; revision++) {
      // A burst of edits of many translations; the last one is requested.
      const edits = { contentChanges: revision };
      await Promise.all(Array.from({ length: 20 }, (_, n) => bus.publish(updated(101 + n, revision, 10, edits))));
      const replica = revision % 2 ? one : other;
      expect(await ask(replica, { kind: 'SCOPE_KIND_COMPONENT', id: 1 })).toEqual({
        all: 200,
        translated: 20 * revision,
        lastChangeMs: 1000 + revision,
        contentChanges: 20 * revision,
      });
    }
  });

  it('outdated and repeated events are ignored', async () => {
    const service = await start();
    const newer = updated(101, 5, 50);
    await bus.publish(newer);
    await bus.publish(updated(101, 4, 40));
    await bus.publish({ ...newer, id: crypto.randomUUID() });
    expect(await ask(service, { kind: 'SCOPE_KIND_SITE' })).toMatchObject({ all: 50, translated: 5 });
    await stop(service);
    expect(await ask(await start(), { kind: 'SCOPE_KIND_SITE' })).toMatchObject({ all: 50, translated: 5 });
  });

  it('counters survive a restart and include events published in the meantime', async () => {
    const first = await start();
    for (let n = 1; n <= 5; n++) await bus.publish(updated(100 + n, 1, 10));
    await bus.publish(
      newEvent(
        'test',
        'translationDeleted',
        { translationId: 105, componentId: 1, projectId: 2, languageCode: 'l5' },
        1,
      ),
    );
    expect(await ask(first, { kind: 'SCOPE_KIND_SITE' })).toMatchObject({ all: 40 });
    await stop(first);
    await bus.publish(updated(101, 2, 11));
    await bus.publish(updated(201, 1, 100));
    const second = await start();
    expect(await ask(second, { kind: 'SCOPE_KIND_SITE' })).toMatchObject({ all: 141, translated: 6 });
    expect(await ask(second, { kind: 'SCOPE_KIND_PROJECT', id: 1 })).toMatchObject({ all: 100 });
  });

  it('deleted objects are removed permanently', async () => {
    const service = await start();
    await bus.publish(newEvent('test', 'projectCreated', { projectId: 2, slug: 'two' }, 2));
    await bus.publish(newEvent('test', 'componentCreated', { componentId: 1, projectId: 2, taskId: '' }, 1));
    await bus.publish(updated(101, 1, 10));
    await bus.publish(updated(301, 1, 7));
    await bus.publish(newEvent('test', 'componentDeleted', { componentId: 1, projectId: 2 }, 1));
    // An import that was in progress when its component was deleted.
    await bus.publish(updated(101, 2, 10));
    await bus.publish(updated(102, 1, 10));
    const expected = { translations: 1, components: 1, projects: 1, counters: { all: { strings: 7 } } };
    expect(await service.client.getMetrics({}, { as: caller() })).toMatchObject(expected);
    await stop(service);
    const again = await start();
    expect(await again.client.getMetrics({}, { as: caller() })).toMatchObject(expected);
    await bus.publish(newEvent('test', 'projectDeleted', { projectId: 2, slug: 'two' }, 2));
    await bus.publish(updated(301, 2, 7));
    expect(await again.client.getMetrics({}, { as: caller() })).toMatchObject({
      translations: 0,
      components: 0,
      projects: 0,
      counters: { all: { strings: 0 } },
    });
  });

  it('objects hidden from the caller are excluded', async () => {
    const service = await start();
    await bus.publish(updated(101, 1, 1));
    await bus.publish(updated(201, 1, 2));
    await bus.publish(updated(301, 1, 4));
    expect(await ask(service, { kind: 'SCOPE_KIND_SITE', excludedProjectIds: [1] })).toMatchObject({ all: 5 });
    expect(
      await ask(service, { kind: 'SCOPE_KIND_LANGUAGE', languageCode: 'l1', excludedComponentIds: [3] }),
    ).toMatchObject({ all: 3 });
    expect(
      await ask(service, { kind: 'SCOPE_KIND_PROJECT', id: 2, excludedComponentIds: [1], componentIds: [2] }),
    ).toMatchObject({ all: 6 });
    const { languages } = await service.client.listLanguageCounters(
      { projectId: 2, excludedComponentIds: [3], componentIds: [2] },
      { as: caller() },
    );
    expect(languages.map((l) => [l.languageCode, l.counters!.all!.strings])).toEqual([['l1', 3]]);
  });

  it('problems of a request are named', async () => {
    const service = await start();
    const scopes = [
      { kind: 'SCOPE_KIND_COMPONENT', id: 0 },
      {},
      { kind: 'SCOPE_KIND_LANGUAGE', languageCode: 'a b' },
    ] as never;
    await expect(service.client.getCounters({ scopes }, { as: caller() })).rejects.toMatchObject({
      reason: 'INVALID',
      problems: [{ attr: 'scopes.0.id' }, { attr: 'scopes.1.kind' }, { attr: 'scopes.2.language_code' }],
    });
    await expect(
      service.client.getCounters({ scopes: new Array(1001).fill({ kind: 'SCOPE_KIND_SITE' }) }, { as: caller() }),
    ).rejects.toMatchObject({ reason: 'INVALID' });
    await expect(service.client.getCounters({ scopes: [] })).rejects.toMatchObject({ reason: 'NOT_AUTHENTICATED' });
  });

  it('a burst of edits is stored completely', async () => {
    const service = await start();
    await Promise.all(Array.from({ length: 300 }, (_, i) => bus.publish(updated(101 + (i % 50), 2 + i, 1))));
    await stop(service);
    expect(await ask(await start(), { kind: 'SCOPE_KIND_SITE' })).toMatchObject({ all: 50, lastChangeMs: 1301 });
  });
});
