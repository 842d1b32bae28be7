import type { ObjectStore } from '@parlance/object-store';
import { counter, logger } from '@parlance/telemetry';
import type { ObsoleteObjects, ObsoleteObjectStore, UploadStore } from '../domain/ports';

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
    private readonly owners: readonly ObsoleteObjectStore[],
    private readonly uploads: UploadStore,
    private readonly objects: ObjectStore,
  ) {}

  private async discard(owner: ObsoleteObjectStore, waste: ObsoleteObjects): Promise<void> {
    for (const key of waste.keys) {
      await this.objects.delete(key);
      removed.inc();
    }
    await owner.wasteRemoved(waste);
  }

  private async discardWaste(owner: ObsoleteObjectStore): Promise<void> {
    let full = true;
    for (let batch = 0; full && batch < MAX_BATCHES; batch++) {
      const list = await owner.waste(BATCH);
      for (const waste of list) await this.discard(owner, waste);
      full = list.length === BATCH;
    }
  }

  /** One pass over all waste and stray objects. */
  async runPass(now = Date.now()): Promise<void> {
    for (const owner of this.owners) await this.discardWaste(owner);
    let full = true;
    for (let batch = 0; full && batch < MAX_BATCHES; batch++) {
      const keys = await this.uploads.strayObjects(now, BATCH);
      for (const key of keys) {
        await this.objects.delete(key);
        removed.inc();
        await this.uploads.settleObject(key);
      }
      full = keys.length === BATCH;
    }
  }

  /** Runs a pass now. The store tracks the objects that remain to be removed, so a failure is only logged: a later pass retries. */
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
