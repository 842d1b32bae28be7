import type { PendingUnits, UnitReader } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import { SizedCache } from './sized-cache';

/** Capacity in units. */
const CACHED_UNITS = 20_000;

/**
 * Cache of the units of a translation with pending edits, for downloads. Every request reads their versions and then the units whose
 * version changed: results contain every write that was acknowledged before the call, also by other processes.
 */
export class PendingUnitCache {
  private readonly translations = new SizedCache<ReadonlyMap<number, Unit>>(CACHED_UNITS);

  constructor(
    private readonly units: Pick<PendingUnits, 'pendingOfTranslation' | 'pendingVersions'> & Pick<UnitReader, 'many'>,
  ) {}

  async ofTranslation(translation: Pick<Translation, 'id' | 'component'>): Promise<Unit[]> {
    const key = String(translation.id);
    const cached = this.translations.get(key);
    const units = cached ? await this.refresh(translation, cached) : await this.units.pendingOfTranslation(translation);
    this.translations.set(key, new Map(units.map((unit) => [unit.id, unit])), units.length);
    return units;
  }

  private async refresh(
    translation: Pick<Translation, 'id' | 'component'>,
    known: ReadonlyMap<number, Unit>,
  ): Promise<Unit[]> {
    const versions = await this.units.pendingVersions(translation);
    const stale = versions.filter(({ id, version }) => known.get(id)?.version !== version);
    // Reading most units by id is slower than reading all.
    if (stale.length > versions.length / 2) return this.units.pendingOfTranslation(translation);
    const fresh = new Map((await this.units.many(stale.map(({ id }) => id))).map((unit) => [unit.id, unit]));
    // A commit may have taken the edits of a unit after its version was read.
    return versions.flatMap(({ id, version }) => {
      const unit = known.get(id)?.version === version ? known.get(id) : fresh.get(id);
      return unit && unit.edits.length > 0 ? [unit] : [];
    });
  }
}
