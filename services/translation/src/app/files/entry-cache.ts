import { entryFile, type ConvertOptions, type ConvertUnit } from '@parlance/formats';
import { countLookup } from '@parlance/telemetry';
import { mapInSlices } from '@parlance/workload';
import type { Unit } from '../../domain/unit';
import { SizedCache } from '../caches/sized-cache';

/** Capacity in bytes; see {@link SizedCache} for the largest file. */
const CACHED_BYTES = 64 * 1024 * 1024;
/** Larger translations are converted in a worker thread, because a first conversion takes about 10 µs per string. */
const MAX_UNITS = 10_000;

/** Unlike Buffer, it allocates each entry by itself: an entry that is kept retains no other memory. */
const encoder = new TextEncoder();

/** Converts translations to formats with an entry per string. Entries of unchanged strings are kept. */
export class EntryCache {
  private readonly files = new SizedCache<WeakMap<Unit, Uint8Array>>(CACHED_BYTES);

  constructor(private readonly unitOf: (unit: Unit) => ConvertUnit) {}

  /**
   * @param units in the order of the file; unchanged ones are the same objects as in the call before
   * @returns undefined if the format has no such entries or there are too many strings
   */
  async convert(
    translation: number,
    format: string,
    units: readonly Unit[],
    options: ConvertOptions,
  ): Promise<Buffer | undefined> {
    const file = units.length <= MAX_UNITS ? entryFile(format, options) : undefined;
    if (!file) return undefined;
    const key = JSON.stringify([translation, format, options]);
    const kept = countLookup('entries', this.files.get(key)) ?? new WeakMap<Unit, Uint8Array>();
    const entries = await mapInSlices(units, (unit) => {
      const known = kept.get(unit);
      if (known) return known;
      const entry = encoder.encode(file.entry(this.unitOf(unit)));
      kept.set(unit, entry);
      return entry;
    });
    const bytes = Buffer.concat([Buffer.from(file.head), ...entries, Buffer.from(file.tail)]);
    this.files.set(key, kept, bytes.length);
    return bytes;
  }
}
