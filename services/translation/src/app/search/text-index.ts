import type { TextField } from '@parlance/search';
import { Slice } from '@parlance/patterns';
import { inBulk } from '@parlance/store-kit';
import { logger } from '@parlance/telemetry';
import type { TranslationReader, UnitFields, UnitQueries, WrittenUnits } from '../../domain/ports';
import { type TextRequirement, TextSignatures } from '../../domain/text-signature';
import { allOf, type UnitQuery } from '../../domain/unit-query';
import { performance } from 'node:perf_hooks';
import { setImmediate as yieldToEventLoop, setTimeout as pause } from 'node:timers/promises';
import { SizedCache } from '../caches/sized-cache';

/** Fields whose texts signatures cover. */
export const INDEXED_FIELDS: ReadonlySet<TextField> = new Set<TextField>(['source', 'target', 'context']);
/**
 * Capacity of the LRU cache, in units of about 70 bytes. Searches over more units do not use the index, nor do translations with more
 * than a quarter of the capacity.
 */
const MAX_UNITS = 2_000_000;
/** Units signed between two yields to the event loop. */
const SIGNED_PER_SLICE = 1_000;
/** Signatures compared between two checks of the time slice. */
const SCANNED_PER_SLICE = 4_096;
/** With more candidates, a scan of the units is faster. */
const MAX_CANDIDATES = 5_000;

interface Version {
  id: number;
  version: number;
}

/**
 * In-memory index of text searches: signatures (Bloom filters) exclude nearly all units that do not contain a text. They are valid for
 * one version of a translation and for later writes of this process. For other versions the store scans all units, and the index is
 * rebuilt in the background.
 */
export class TextIndex {
  private readonly signatures = new SizedCache<TextSignatures>(MAX_UNITS);
  private readonly queued = new Map<number, Promise<void>>();
  private queue: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly units: Pick<UnitQueries, 'idsOf'> & Pick<UnitFields, 'texts'>,
    private readonly translations: Pick<TranslationReader, 'get'>,
  ) {}

  /**
   * Ids of a superset of the units that match a search; null when the index excludes too few units.
   * @param query selects the units of translations that are not indexed
   */
  async candidates(
    requirement: TextRequirement,
    scope: readonly (Version & { units: number })[],
    query: UnitQuery,
  ): Promise<number[] | null> {
    const all = scope.reduce((sum, { units }) => sum + units, 0);
    if (all > MAX_UNITS) return null;
    const found: number[] = [];
    const unindexed: number[] = [];
    let unindexedUnits = 0;
    const slice = new Slice();
    for (const translation of scope) {
      const signatures = this.current(translation);
      if (signatures)
        for (let at = 0; at < signatures.size; at += SCANNED_PER_SLICE) {
          signatures.candidates(requirement, found, at, at + SCANNED_PER_SLICE);
          if (slice.over) await slice.pause();
        }
      else {
        unindexed.push(translation.id);
        unindexedUnits += translation.units;
        if (translation.units <= MAX_UNITS / 4) void this.index(translation.id);
      }
    }
    if (unindexedUnits > all / 2 || found.length > MAX_CANDIDATES) return null;
    if (unindexed.length > 0)
      found.push(...(await this.units.idsOf(allOf({ kind: 'translations', ids: unindexed }, query))));
    return found.length > MAX_CANDIDATES ? null : found;
  }

  /** Records a write of this process and the version of the translation that it created. */
  recordWrite({ id, version }: Version, units: WrittenUnits): void {
    const signatures = this.signatures.get(String(id));
    if (!signatures) return;
    if (units === 'any' || !signatures.recordWrite(version, units) || signatures.isStale)
      this.signatures.delete(String(id));
  }

  /** Indexes a translation in the background, one at a time. Resolves when it is indexed. */
  index(id: number): Promise<void> {
    let signed = this.queued.get(id);
    if (!signed) {
      signed = this.queue = this.queue.then(() => inBulk(() => this.build(id))).finally(() => this.queued.delete(id));
      this.queued.set(id, signed);
    }
    return signed;
  }

  /** Stops indexing. Resolves when the translation in progress is finished. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.queue;
  }

  private current({ id, version }: Version): TextSignatures | null {
    const signatures = this.signatures.get(String(id));
    return signatures?.version === version ? signatures : null;
  }

  private async build(id: number): Promise<void> {
    if (this.stopped) return;
    const startedAt = performance.now();
    try {
      // The version is read before the units: a concurrent write then makes the signatures stale instead of wrong.
      const translation = await this.translations.get(id);
      if (!translation || this.current(translation)) return;
      const units = await this.units.texts(id);
      const signatures = new TextSignatures(translation.version, units.length);
      for (let at = 0; at < units.length; at += SIGNED_PER_SLICE) {
        for (const unit of units.slice(at, at + SIGNED_PER_SLICE)) signatures.add(unit);
        await yieldToEventLoop();
      }
      this.signatures.set(String(id), signatures, signatures.size);
    } catch (error) {
      // The next search requests the index again.
      logger.warn({ err: error, translation: id }, 'text index: building failed');
    }
    // Leaves at least half of the time to other work.
    if (this.queued.size > 1) await pause(performance.now() - startedAt);
  }
}
