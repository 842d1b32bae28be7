import { IdSequences, openStore, type Store } from '@parlance/store-kit';
import { engines } from '@parlance/testing';
import { Feed } from '../src/app/outbound/feed';
import type { CatalogClient, HistoryEntry } from '../src/domain/ports';
import { MongoDeliveryStore } from '../src/store/delivery-store';
import { makeModels, type Models } from '../src/store/models';
import { MongoSubscriptionStore } from '../src/store/subscription-store';

const ROUNDS = 10;
const CHANGES = 5;

describe('the feeds of several replicas', () => {
  let store: Store<Models>;
  beforeAll(async () => {
    store = await openStore((await engines()).mongoUri('feed'), makeModels);
  });
  afterAll(async () => {
    await store.connection.dropDatabase();
    await store.close();
  });

  it('each change is queued once, although every replica reads it', async () => {
    const history: HistoryEntry[] = [];
    const happen = () => {
      for (let i = 0; i < CHANGES; i++) {
        const id = history.length + 1;
        history.unshift({ id, action: 2, timeMs: Date.now(), projectId: 1, componentId: 2 } as HistoryEntry);
      }
    };
    const subscriptions = new MongoSubscriptionStore(store.models, new IdSequences(store.models.counters.collection));
    const deliveries = new MongoDeliveryStore(store.models);
    const makeFeed = () =>
      new Feed({
        catalog: { names: async () => ({ projects: new Map(), components: new Map() }) } as unknown as CatalogClient,
        history: {
          since: async ({ afterMs, page, pageSize }) =>
            history.filter(({ timeMs }) => timeMs >= afterMs).slice((page - 1) * pageSize, page * pageSize),
        },
        subscriptions,
        deliveries,
        wake: () => undefined,
      });
    const feeds = [makeFeed(), makeFeed()] as const;
    const { id } = await subscriptions.add({
      projectId: 1,
      componentId: 0,
      url: 'https://example.com/hook',
      events: [],
      sealedSecret: '',
      enabled: true,
      kind: 'change',
      addonId: 0,
      createdMs: Date.now(),
      lastSuccessMs: 0,
      lastFailureMs: 0,
      seenMs: 0,
    });
    for (let round = 0; round < ROUNDS; round++) {
      happen();
      await Promise.all(feeds.map((feed) => feed.changed([1])));
      happen();
      await feeds[round % 2]!.changed([1]);
    }
    const queued = (await deliveries.list({ subscriptionId: id }, 0, 1000)).deliveries.map(({ changeId }) => changeId);
    expect(queued.sort((a, b) => a - b)).toEqual(Array.from({ length: 2 * ROUNDS * CHANGES }, (_, i) => i + 1));
  });
});
