import { ObjectMissingError, type ObjectStore } from '@parlance/object-store';
import { Readable } from 'node:stream';

/** A bucket in memory. */
export class MemoryObjects implements ObjectStore {
  readonly stored = new Map<string, Uint8Array>();
  /** The bucket is unavailable. */
  fails = false;

  constructor(private readonly log: (effect: string) => void) {}

  async ensureBucket(): Promise<void> {}

  async put(key: string, bytes: Uint8Array): Promise<void> {
    if (this.fails) throw new Error('the bucket is unavailable');
    this.stored.set(key, bytes);
    this.log('put object');
  }

  async get(key: string): Promise<Readable> {
    const bytes = this.stored.get(key);
    if (!bytes) throw new ObjectMissingError(key);
    return Readable.from([Buffer.from(bytes)]);
  }

  async head(): Promise<undefined> {
    return undefined;
  }

  async delete(key: string): Promise<void> {
    if (this.fails) throw new Error('the bucket is unavailable');
    this.stored.delete(key);
    this.log('delete object');
  }

  async *list(): AsyncIterable<never> {}

  async reachable(): Promise<boolean> {
    return !this.fails;
  }
}
