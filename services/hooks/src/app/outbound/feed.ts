import { logger } from '@parlance/telemetry';
import { randomUUID } from 'node:crypto';
import type { Delivery } from '../../domain/outbound/delivery';
import { messageBody } from '../../domain/outbound/message';
import { wants, type Subscription } from '../../domain/outbound/subscription';
import type { Catalog, DeliveryStore, History, HistoryEntry, SubscriptionStore } from '../../domain/ports';

/** Changes are entered into the history a moment after they were made; so far back it is read again, in milliseconds. */
const OVERLAP_MS = 30_000;
const PAGE = 200;
/** Pages that one look reads at most, the newest changes first: of a larger burst the oldest are left out. */
const MAX_PAGES = 50;
/** Changes that are remembered as queued, so that reading the overlap again costs little. The store tells for sure. */
const REMEMBERED = 20_000;

/** Queues deliveries of what has changed. */
export class Feed {
  private readonly queued = new Set<string>();

  constructor(
    private readonly parts: {
      catalog: Catalog;
      history: History;
      subscriptions: SubscriptionStore;
      deliveries: DeliveryStore;
      wake: () => void;
    },
  ) {}

  /** Something has changed in these projects. Repeatable: a change is queued once for a subscription, however often it is found. */
  async changed(projectIds: readonly number[]): Promise<void> {
    for (const subscription of await this.parts.subscriptions.interested(projectIds)) await this.queue(subscription);
  }

  private async queue(subscription: Subscription): Promise<void> {
    const afterMs = Math.max(subscription.createdMs, subscription.seenMs - OVERLAP_MS);
    const fresh: HistoryEntry[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { projectId, componentId, events: actions } = subscription;
      const entries = await this.parts.history.since({
        projectId,
        componentId,
        actions,
        afterMs,
        page,
        pageSize: PAGE,
      });
      const unknown = entries.filter((e) => wants(subscription, e) && !this.queued.has(keyOf(subscription, e)));
      fresh.push(...unknown);
      if (entries.length < PAGE || unknown.length === 0) break;
      if (page === MAX_PAGES)
        logger.warn({ subscription: subscription.id, queued: fresh.length }, 'the oldest of many changes are not sent');
    }
    if (fresh.length === 0) return;
    fresh.reverse();
    await this.parts.deliveries.add(await this.deliveries(subscription, fresh));
    await this.parts.subscriptions.seen(subscription.id, Math.max(...fresh.map((e) => e.timeMs)));
    for (const entry of fresh) this.remember(keyOf(subscription, entry));
    this.parts.wake();
  }

  private async deliveries(subscription: Subscription, entries: readonly HistoryEntry[]): Promise<Delivery[]> {
    const ids = (key: 'projectId' | 'componentId') => [...new Set(entries.map((e) => e[key]).filter((id) => id > 0))];
    const { projects, components } = await this.parts.catalog.names(ids('projectId'), ids('componentId'));
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
      nextAttemptMs: now,
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
