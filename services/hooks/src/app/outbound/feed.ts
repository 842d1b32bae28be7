import { randomUUID } from 'node:crypto';
import type { Delivery } from '../../domain/outbound/delivery';
import { messageBody } from '../../domain/outbound/message';
import { matchesChange, type Subscription } from '../../domain/outbound/subscription';
import type { CatalogClient, DeliveryStore, HistoryClient, HistoryEntry, SubscriptionStore } from '../../domain/ports';

/** Changes enter the history shortly after their time, so reads go back this far, in milliseconds. */
const OVERLAP_MS = 30_000;
/** Overlap of reads, in milliseconds: paging stops at a page older than this whose entries are all known. */
const LATE_MS = 5_000;
/** Page size of history reads. */
const PAGE = 200;
/** Size of the cache of queued changes, which makes reading the overlap cheap. The store remains the authority. */
const REMEMBERED = 100_000;

/** Queues deliveries for new history entries. */
export class Feed {
  private readonly queued = new Set<string>();

  constructor(
    private readonly deps: {
      catalog: CatalogClient;
      history: HistoryClient;
      subscriptions: SubscriptionStore;
      deliveries: DeliveryStore;
      wake: () => void;
    },
  ) {}

  /** Queues the changes of these projects. Idempotent: a change is queued once for each subscription. */
  async changed(projectIds: readonly number[]): Promise<void> {
    for (const subscription of await this.deps.subscriptions.listInterested(projectIds)) await this.queue(subscription);
  }

  private async queue(subscription: Subscription): Promise<void> {
    const { projectId, componentId, events: actions } = subscription;
    const afterMs = Math.max(subscription.createdMs, subscription.seenMs - OVERLAP_MS);
    // Recorded after all are queued, so that the next read queues the rest after a failure.
    const found: string[] = [];
    let newest = 0;
    // New entries move older ones to later pages, so none is skipped.
    for (let page = 1; ; page++) {
      const request = { projectId, componentId, actions, afterMs, page, pageSize: PAGE };
      const entries = await this.deps.history.since(request);
      const fresh = entries.filter((e) => matchesChange(subscription, e) && !this.queued.has(keyOf(subscription, e)));
      await this.deps.deliveries.add(await this.deliveries(subscription, fresh));
      for (const entry of fresh) {
        newest = Math.max(newest, entry.timeMs);
        if (found.length < REMEMBERED) found.push(keyOf(subscription, entry));
      }
      if (entries.length < PAGE || (fresh.length === 0 && entries.at(-1)!.timeMs < Date.now() - LATE_MS)) break;
    }
    if (newest === 0) return;
    await this.deps.subscriptions.markSeen(subscription.id, newest);
    for (const key of found.reverse()) this.remember(key);
    this.deps.wake();
  }

  private async deliveries(subscription: Subscription, entries: readonly HistoryEntry[]): Promise<Delivery[]> {
    if (entries.length === 0) return [];
    const ids = (key: 'projectId' | 'componentId') => [...new Set(entries.map((e) => e[key]).filter((id) => id > 0))];
    const { projects, components } = await this.deps.catalog.names(ids('projectId'), ids('componentId'));
    const now = Date.now();
    return entries.map((entry) => ({
      id: randomUUID(),
      subscriptionId: subscription.id,
      changeId: entry.id,
      action: entry.action,
      body: messageBody(subscription.kind, {
        ...entry,
        projectSlug: projects.get(entry.projectId) ?? '',
        componentPath: components.get(entry.componentId) ?? '',
      }),
      state: 'pending',
      attempts: 0,
      createdMs: now,
      // Pages are newest first; reversed, so that the oldest change is sent first.
      nextAttemptMs: Math.min(now, entry.timeMs),
      lastStatus: 0,
      lastError: '',
    }));
  }

  private remember(key: string): void {
    this.queued.add(key);
    if (this.queued.size > REMEMBERED) this.queued.delete(this.queued.values().next().value!);
  }
}

const keyOf = (subscription: Subscription, entry: HistoryEntry) => `${subscription.id}:${entry.id}`;
