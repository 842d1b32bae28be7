import type { ObjectStore } from '@parlance/object-store';
import { counter, logger } from '@parlance/telemetry';
import type { ScreenshotStore, ObsoleteObjects } from '../domain/ports';

const removed = counter('parlance_media_objects_removed_total');

/** Interval of the periodic pass, in milliseconds. */
const EVERY_MS = 30_000;
const BATCH = 100;
/** Batches per pass; the next pass continues. */
const MAX_BATCHES = 1_000;

/** Deletes unused objects from the bucket: right after a write, and periodically those left by a crash or an outage. */
export class Cleanup {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly screenshots: ScreenshotStore,
    private readonly objects: ObjectStore,
  ) {}

  private async discard(waste: ObsoleteObjects): Promise<void> {
    for (const key of waste.keys) {
      await this.objects.delete(key);
      removed.inc();
    }
    await this.screenshots.wasteRemoved(waste);
  }

  /** One pass over all waste and stray objects. */
  async runPass(now = Date.now()): Promise<void> {
    let full = true;
    for (let batch = 0; full && batch < MAX_BATCHES; batch++) {
      const list = await this.screenshots.waste(BATCH);
      for (const waste of list) await this.discard(waste);
      full = list.length === BATCH;
    }
    full = true;
    for (let batch = 0; full && batch < MAX_BATCHES; batch++) {
      const keys = await this.screenshots.strayObjects(now, BATCH);
      for (const key of keys) {
        await this.objects.delete(key);
        removed.inc();
        await this.screenshots.settleObject(key);
      }
      full = keys.length === BATCH;
    }
  }

  /**
   * Runs a pass now. The store keeps track of what is left to remove, so a failure is only logged: a later pass retries.
   */
  async schedule(): Promise<void> {
    this.running = this.running.then(() =>
      this.runPass().catch((error: unknown) =>
        logger.warn({ err: error }, 'removing objects from the bucket failed; retrying later'),
      ),
    );
    await this.running;
  }

  start(): void {
    void this.schedule();
    this.timer = setInterval(() => void this.schedule(), EVERY_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
