import { EventBus, newEvent } from '@parlance/events';
import { snapshotsConsumer } from '../src/consumers/store-snapshots';
import { ADDED, columnOfExtra, emptyCounters, type Snapshot } from '../src/domain/counters';
import type { StoredFact } from '../src/domain/ports';
import { makeModels, type Models } from '../src/store/models';
import { openStore, type Store } from '@parlance/store-kit';
import { MongoSnapshotStore } from '../src/store/snapshot-store';
import { engines, type Engines } from './support/engines';

let where: Engines;
let mongo: Store<Models>;
let store: MongoSnapshotStore;

const snapshot = (translationId: number, revision: number, more: Partial<Snapshot> = {}): Snapshot => ({
  translationId,
  componentId: 1,
  projectId: 1,
  languageCode: 'cs',
  revision,
  counters: {
    ...emptyCounters(),
    added: Array.from({ length: ADDED }, (_, i) =>
      i === columnOfExtra('translationIds') ? translationId : i * revision,
    ),
    lastChange: 5,
    lastAuthor: 'A',
    lastAuthorId: 7,
  },
  ...more,
});

async function load(): Promise<StoredFact[]> {
  const facts: StoredFact[] = [];
  for await (const fact of store.load()) facts.push(fact);
  return facts;
}

async function stored(): Promise<StoredFact[]> {
  return (await load()).filter((f) => f.fact === 'snapshot' || f.fact === 'removedTranslation');
}
const revisions = async () =>
  (await stored())
    .map((f) =>
      f.fact === 'snapshot' ? [f.snapshot.translationId, f.snapshot.revision] : [(f as { id: number }).id, 'removed'],
    )
    .sort();

beforeEach(async () => {
  where = await engines();
  mongo = await openStore(where.mongodbUri, makeModels);
  store = new MongoSnapshotStore(mongo.models);
});

afterEach(() => mongo.close());

describe('the store of snapshots', () => {
  it('the store returns stored snapshots', async () => {
    await store.save([snapshot(1, 3)]);
    expect(await stored()).toEqual([{ fact: 'snapshot', snapshot: snapshot(1, 3) }]);
  });

  it('the store accepts only newer snapshots, also within one batch', async () => {
    await store.save([snapshot(1, 3), snapshot(2, 1)]);
    await store.save([snapshot(1, 2), snapshot(2, 2), snapshot(3, 1)]);
    expect(await revisions()).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
    ]);
  });

  it('removed objects stay removed, whatever arrives later', async () => {
    await store.save([
      snapshot(1, 1),
      snapshot(2, 1, { componentId: 2 }),
      snapshot(3, 1, { componentId: 3, projectId: 3 }),
    ]);
    await store.removeTranslations([1, 9]);
    await store.removeObjects([
      { kind: 'component', id: 2, projectId: 1 },
      { kind: 'project', id: 3, projectId: 3 },
    ]);
    await store.save([
      snapshot(1, 2),
      snapshot(2, 2, { componentId: 2 }),
      snapshot(3, 2, { componentId: 3, projectId: 3 }),
      snapshot(9, 1),
      snapshot(4, 1, { componentId: 2 }),
      snapshot(5, 1),
    ]);
    expect(await revisions()).toEqual([
      [1, 'removed'],
      [2, 'removed'],
      [3, 'removed'],
      [4, 'removed'],
      [5, 1],
      [9, 'removed'],
    ]);
  });

  it('components and projects are stored once, and so is their removal', async () => {
    const component = { kind: 'component' as const, id: 2, projectId: 1 };
    await store.addObjects([component, component, { kind: 'project', id: 1, projectId: 1 }]);
    await store.removeObjects([component]);
    await store.addObjects([component]);
    const facts = await load();
    expect(facts).toEqual(
      expect.arrayContaining([
        { fact: 'removedObject', object: component },
        { fact: 'object', object: { kind: 'project', id: 1, projectId: 1 } },
      ]),
    );
    expect(facts).toHaveLength(2);
  });

  it('a batch that failed to be stored is delivered again', async () => {
    const bus = await EventBus.connect({ url: where.natsUrl, service: 'test', namespace: where.namespace });
    try {
      let failures = 2;
      const save = store.save.bind(store);
      store.save = async (snapshots) => {
        if (snapshots.length > 0 && failures-- > 0) throw new Error('the database is unavailable');
        await save(snapshots);
      };
      const payload = { translationId: 1, componentId: 1, projectId: 1, languageCode: 'cs', revision: 4 };
      await bus.publish(newEvent('test', 'translationUpdated', payload, 1));
      const consumer = await bus.consume(snapshotsConsumer(store));
      expect(await consumer.caughtUp(120_000)).toBe(true);
      expect(await revisions()).toEqual([[1, 4]]);
    } finally {
      await bus.close();
    }
  });
});
