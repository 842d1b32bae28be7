import { countLookup } from '@parlance/telemetry';
import { LRUCache } from 'lru-cache';
import type { Prepared } from '../responses/prepared';
import { MAX_AGE_MS } from './max-age';

/** Memory for replies, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** A reply and how long it may be kept, in milliseconds; absent: as long as its key is valid. */
export interface Kept {
  prepared: Prepared;
  keepMs?: number | undefined;
}

/** Whole replies of endpoints; see `Endpoint.cached`. */
export class ReplyCache {
  private readonly replies = new LRUCache<string, Prepared>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ json }, key) => 2 * (json.length + key.length) + 200,
    ttl: MAX_AGE_MS,
  });

  /** @param key everything that the reply depends on, with the generations under which it is read */
  async readThrough(key: string, read: () => Promise<Kept>): Promise<Prepared> {
    const known = countLookup('replies', this.replies.get(key));
    if (known) return known;
    const { prepared, keepMs = MAX_AGE_MS } = await read();
    if (keepMs > 0) this.replies.set(key, prepared, { ttl: Math.min(keepMs, MAX_AGE_MS) });
    return prepared;
  }

  /** Frees the memory of replies whose keys are invalid. */
  clear(): void {
    this.replies.clear();
  }
}
