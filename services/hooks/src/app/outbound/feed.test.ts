import type { Delivery } from '../../domain/outbound/delivery';
import type { CatalogClient, DeliveryStore, HistoryEntry, SubscriptionStore } from '../../domain/ports';
import { Feed } from './feed';

const BURST = 10_500;
const started = Date.now();

/** A history of one project, newest first, with an optional failure of one page. */
function world(failsOnPage = 0) {
  const entries: HistoryEntry[] = [];
  const happen = (count: number) => {
    for (let at = 0; at < count; at++) {
      const id = entries.length + 1;
      entries.unshift({ id, action: 2, timeMs: started - 100_000 + id, projectId: 1, componentId: 2 } as HistoryEntry);
    }
  };
  const queued = new Map<number, Delivery>();
  const sizes: number[] = [];
  const subscription = { id: 7, projectId: 1, componentId: 0, events: [], enabled: true, createdMs: 0, seenMs: 0 };
  const feed = new Feed({
    catalog: { names: async () => ({ projects: new Map(), components: new Map() }) } as unknown as CatalogClient,
    history: {
      async since({ afterMs, page, pageSize }) {
        if (page === failsOnPage) {
          failsOnPage = 0;
          throw new Error('away');
        }
        return entries.filter((e) => e.timeMs >= afterMs).slice((page - 1) * pageSize, page * pageSize);
      },
    },
    subscriptions: {
      listInterested: async () => [subscription],
      async markSeen(_: number, timeMs: number) {
        subscription.seenMs = timeMs;
      },
    } as unknown as SubscriptionStore,
    deliveries: {
      async add(deliveries: readonly Delivery[]) {
        sizes.push(deliveries.length);
        // New changes arrive while older pages are read.
        if (sizes.length === 3) happen(150);
        for (const delivery of deliveries) if (!queued.has(delivery.changeId)) queued.set(delivery.changeId, delivery);
      },
    } as unknown as DeliveryStore,
    wake: () => undefined,
  });
  return { feed, happen, queued, sizes };
}

describe('a burst of changes', () => {
  it('a burst of changes is queued completely, page by page, oldest first', async () => {
    const { feed, happen, queued, sizes } = world();
    happen(BURST);
    await feed.changed([1]);
    await feed.changed([1]);
    expect(queued.size).toBe(BURST + 150);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
    const order = [...queued.values()].sort((a, b) => a.nextAttemptMs - b.nextAttemptMs).map((d) => d.changeId);
    expect(order.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('a burst of changes is queued completely after a failed read', async () => {
    const { feed, happen, queued } = world(10);
    happen(BURST);
    await expect(feed.changed([1])).rejects.toThrow('away');
    await feed.changed([1]);
    await feed.changed([1]);
    expect(queued.size).toBe(BURST + 150);
  });
});
