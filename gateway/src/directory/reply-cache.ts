import { countLookup } from '@parlance/telemetry';
import { LRUCache } from 'lru-cache';
import type { Prepared } from '../responses/prepared';
import { MAX_AGE_MS } from './max-age';

/** Memory for replies, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Memory for one of them: a few large ones must not evict all others. */
const MAX_REPLY_BYTES = MAX_BYTES / 16;

/** The parts of a reply that are kept. */
export interface KeptReply {
  headers?: Record<string, string>;
  prepared?: Prepared;
  text?: { type: string; content: string };
}

/** A reply and how long it may be kept, in milliseconds; absent: as long as its generation is current. */
export interface Kept {
  reply: KeptReply;
  keepMs?: number | undefined;
}

interface Entry {
  generation: string;
  reply: KeptReply;
}

/** Whole replies of endpoints; see `Endpoint.cached` and `Endpoint.shows`. */
export class ReplyCache {
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_REPLY_BYTES,
    sizeCalculation: ({ reply: { prepared, text } }, key) =>
      2 * ((prepared?.json ?? text?.content ?? '').length + key.length) + 400,
    ttl: MAX_AGE_MS,
  });

  /**
   * @param key caller and address
   * @param generation of everything that the reply depends on, as it is now
   */
  get(key: string, generation: string): KeptReply | undefined {
    const entry = this.entries.get(key);
    return countLookup('replies', entry?.generation === generation ? entry.reply : undefined);
  }

  /** @param generation as it was before the reply was read */
  set(key: string, generation: string, { reply, keepMs = MAX_AGE_MS }: Kept): void {
    if (keepMs > 0) this.entries.set(key, { generation, reply }, { ttl: Math.min(keepMs, MAX_AGE_MS) });
  }

  /** Frees the memory of replies whose generations are outdated. */
  clear(): void {
    this.entries.clear();
  }
}
