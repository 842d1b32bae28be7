/** Buckets for each expected text: about one in sixteen unique texts shares a bucket with another one. */
const BUCKETS_PER_TEXT = 16;
/** Limits of the memory, in bytes. */
const [MIN_BUCKETS, MAX_BUCKETS] = [1 << 10, 1 << 24];

/** Tells which texts may occur several times, in a memory that hardly grows with them: it counts keys in buckets, up to two. */
export class TextCounts {
  private readonly buckets: Uint8Array;

  /** @param expected number of texts */
  constructor(expected: number) {
    const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, expected) * BUCKETS_PER_TEXT));
    this.buckets = new Uint8Array(Math.min(MAX_BUCKETS, Math.max(MIN_BUCKETS, wanted)));
  }

  /** @param key see `textKey` */
  add(key: number): void {
    const bucket = this.bucketOf(key);
    if (this.buckets[bucket]! < 2) this.buckets[bucket]!++;
  }

  /** False: at most one of the added keys is this one. */
  mayRepeat(key: number): boolean {
    return this.buckets[this.bucketOf(key)]! > 1;
  }

  private bucketOf(key: number): number {
    return key % this.buckets.length;
  }
}
