import type { ObjectStore } from '@parlance/object-store';
import { logger, metrics } from '@parlance/telemetry';
import { Counter } from 'prom-client';
import type { ScreenshotStore, Waste } from '../domain/ports';

const removed = new Counter({
  name: 'parlance_media_objects_removed_total',
  help: 'Objects removed from the bucket.',
  registers: [metrics],
});

const EVERY_MS = 30_000;
const BATCH = 100;

/** Removes from the bucket what nobody needs any more: at once after a write, and periodically what a crash or outage left. */
export class Cleanup {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly screenshots: ScreenshotStore,
    private readonly objects: ObjectStore,
  ) {}

  private async discard(waste: Waste): Promise<void> {
    for (const key of waste.keys) {
      await this.objects.delete(key);
      removed.inc();
    }
    await this.screenshots.wasteRemoved(waste);
  }

  /** One pass over everything that waits. */
  async pass(now = Date.now()): Promise<void> {
    for (;;) {
      const list = await this.screenshots.waste(BATCH);
      for (const waste of list) await this.discard(waste);
      if (list.length < BATCH) break;
    }
    for (;;) {
      const keys = await this.screenshots.strayObjects(now, BATCH);
      for (const key of keys) {
        await this.objects.delete(key);
        removed.inc();
        await this.screenshots.settleObject(key);
      }
      if (keys.length < BATCH) break;
    }
  }

  /**
   * A pass now. What it removes is noted in the store, so a failure is only logged: a later pass tries again.
   */
  async soon(): Promise<void> {
    this.running = this.running.then(() =>
      this.pass().catch((error: unknown) => logger.warn({ err: error }, 'objects stay in the bucket for now')),
    );
    await this.running;
  }

  start(): void {
    void this.soon();
    this.timer = setInterval(() => void this.soon(), EVERY_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
