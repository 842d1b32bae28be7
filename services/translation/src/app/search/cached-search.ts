import { evaluate } from '@parlance/search';
import { inBulk } from '@parlance/store-kit';
import { logger } from '@parlance/telemetry';
import { TimeSlice } from '@parlance/workload';
import type { Page } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import { viewOf } from '../../domain/unit-query';
import { SizedCache } from '../caches/sized-cache';
import type { UnitCache } from '../caches/unit-cache';
import type { Search } from './unit-search';

/** Translations that are remembered as searched, in characters of their ids. */
const SEARCHED = 100_000;

/**
 * Searches in translations whose units are cached. The store reads all units of a translation for each search; here only the units that were
 * written since. The first search of a translation does not load it, because many translations are searched once.
 */
export class CachedSearch {
  private readonly searched = new SizedCache<true>(SEARCHED);
  private readonly loading = new Set<number>();

  constructor(private readonly units: Pick<UnitCache, 'current' | 'holds' | 'ofTranslation'>) {}

  /**
   * A page of the units that match, by id. Results contain every write that was acknowledged before `translation` was read.
   * @returns null when the store has to find it
   */
  async page(
    search: Search,
    translation: Translation,
    { page, size }: { page: number; size: number },
  ): Promise<Page<Unit> | null> {
    if (!search.ofUnitsAlone || !this.units.holds(translation.id, translation.counters.all.s)) return null;
    const units = await this.units.current(translation);
    if (!units) {
      this.load(translation);
      return null;
    }
    const found: Unit[] = [];
    const slice = new TimeSlice();
    for (const unit of units) {
      if (evaluate(search.query, viewOf(unit))) found.push(unit);
      if (slice.isOver()) await slice.next();
    }
    found.sort((a, b) => a.id - b.id);
    return { items: found.slice((page - 1) * size, page * size), total: found.length };
  }

  /** Loads a translation for later searches, in the background. */
  private load(translation: Translation): void {
    const key = String(translation.id);
    const isSearchedAgain = this.searched.get(key) !== undefined;
    this.searched.set(key, true, 0);
    if (!isSearchedAgain || this.loading.has(translation.id)) return;
    this.loading.add(translation.id);
    // Its reads must not end with the request.
    void inBulk(() => this.units.ofTranslation(translation))
      .catch((error: unknown) => logger.warn({ err: error, translation: key }, 'search: loading units failed'))
      .finally(() => this.loading.delete(translation.id));
  }
}
