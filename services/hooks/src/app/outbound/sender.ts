import { counter, histogram, logger, secondsSince } from '@parlance/telemetry';
import { afterAttempt, deliveryHeaders, type Attempt, type Delivery } from '../../domain/outbound/delivery';
import type { Subscription } from '../../domain/outbound/subscription';
import type { DeliveryStore, Secrets, SubscriptionStore } from '../../domain/ports';

const attempts = counter('parlance_webhook_attempts_total');
const seconds = histogram('parlance_webhook_attempt_duration_seconds');

/** Posts a body. @returns the status, or 0 with an error */
export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<Attempt>;

/** Lease of a delivery that is being sent, in milliseconds; longer than any attempt. */
const CLAIM_MS = 60_000;
const CONCURRENCY = 8;
const LOOK_EVERY_MS = 5_000;

/** Sends due deliveries: when woken, and every few seconds for retries and deliveries that other replicas left. */
export class Sender {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  constructor(
    private readonly deps: {
      subscriptions: SubscriptionStore;
      deliveries: DeliveryStore;
      secrets: Secrets;
      post: Post;
    },
  ) {}

  start(): void {
    this.timer = setInterval(() => this.wake(), LOOK_EVERY_MS);
    this.timer.unref();
    this.wake();
  }

  /** Polls the queue immediately. */
  wake(): void {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.drainQueue()
      .catch((error: unknown) => logger.warn({ err: error }, 'sending outbound webhooks failed; retrying'))
      .finally(() => {
        this.running = undefined;
        if (this.again) {
          this.again = false;
          this.wake();
        }
      });
  }

  private async drainQueue(): Promise<void> {
    const sending = new Set<Promise<void>>();
    const failures: unknown[] = [];
    try {
      for (let delivery = await this.next(); delivery; delivery = await this.next()) {
        const sent = this.send(delivery)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => sending.delete(sent));
        sending.add(sent);
        if (sending.size === CONCURRENCY) await Promise.race(sending);
      }
    } finally {
      await Promise.all(sending);
    }
    if (failures.length > 0) throw failures[0];
  }

  private async next(): Promise<Delivery | undefined> {
    if (this.stopped) return undefined;
    const now = Date.now();
    return this.deps.deliveries.claim(now, now + CLAIM_MS);
  }

  private async send(delivery: Delivery): Promise<void> {
    const { subscriptions, deliveries } = this.deps;
    const subscription = await subscriptions.get(delivery.subscriptionId);
    if (!subscription) {
      await deliveries.remove(delivery.id);
      return;
    }
    const startedAt = performance.now();
    const attempt = subscription.enabled
      ? await this.attempt(subscription, delivery)
      : { status: 410, error: 'The webhook is switched off.' };
    const outcome = afterAttempt(delivery.attempts, attempt, Date.now());
    attempts.inc({ state: outcome.state });
    if (subscription.enabled) seconds.observe(secondsSince(startedAt));
    await deliveries.finish(delivery.id, delivery.attempts, outcome);
    await subscriptions.noteAttempt(subscription.id, outcome.state === 'delivered', Date.now());
  }

  private attempt({ sealedSecret, url }: Subscription, delivery: Delivery): Promise<Attempt> | Attempt {
    let secret = '';
    try {
      if (sealedSecret) secret = this.deps.secrets.open(sealedSecret);
    } catch (error) {
      // Encrypted with another key: retried and finally failed, like an unreachable address.
      logger.warn({ err: error, delivery: delivery.id }, 'decrypting the secret of a webhook failed');
      return { status: 0, error: 'The secret cannot be opened.' };
    }
    return this.deps.post(url, deliveryHeaders(delivery, secret, Date.now()), delivery.body);
  }

  /** Claims no more deliveries and waits for running attempts. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }
}
