import type { UnitStore } from '../domain/ports';
import type { Unit } from '../domain/unit';
import { SizedCache } from './search/page-cache';

/** Units that are kept in memory; a translation with more than a quarter of them is read anew each time. */
const CACHED_UNITS = 40_000;

/**
 * All units of a translation, for uploads and exports. They are kept in memory; a reader asks the store only for versions and
 * positions, and reads the units that have another one by now. So what it answers is as fresh as a full read.
 */
export class UnitCache {
  private readonly translations = new SizedCache<ReadonlyMap<number, Unit>>(CACHED_UNITS);

  constructor(private readonly units: Pick<UnitStore, 'ofTranslation' | 'many' | 'versions'>) {}

  async ofTranslation(translation: number): Promise<Unit[]> {
    const key = String(translation);
    const known = this.translations.get(key);
    const units = known ? await this.renewed(translation, known) : await this.units.ofTranslation(translation);
    this.translations.set(key, new Map(units.map((unit) => [unit.id, unit])), units.length);
    return units;
  }

  private async renewed(translation: number, known: ReadonlyMap<number, Unit>): Promise<Unit[]> {
    const versions = await this.units.versions(translation);
    const stale = versions.filter(({ id, version, position }) => {
      const unit = known.get(id);
      return unit?.version !== version || unit.position !== position;
    });
    // Reading most of them one by one costs more than reading all.
    if (stale.length > versions.length / 2) return this.units.ofTranslation(translation);
    const fresh = new Map((await this.units.many(stale.map(({ id }) => id))).map((unit) => [unit.id, unit]));
    return versions.flatMap(({ id }) => fresh.get(id) ?? known.get(id) ?? []);
  }
}
