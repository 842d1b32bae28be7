import { countLookup } from '@parlance/telemetry';
import type { UnitFields, UnitReader, WrittenUnits } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import { SizedCache } from './sized-cache';

/** Capacity in units; see {@link SizedCache} for the largest translation. */
const CACHED_UNITS = 40_000;

type Version = Pick<Translation, 'id' | 'version'>;

interface CachedTranslation {
  /** Version of the translation that `units`, with the units in `written` read again, represent. */
  version: number;
  readonly units: Map<number, Unit>;
  /** Units written by this process since they were read, with the version of the translation that the last write created. */
  readonly written: Map<number, number>;
}

/**
 * Cache of all units of a translation, for uploads, exports and searches. For a version that results from writes of this process, only the written
 * units are read again. For other versions, the units whose version or position changed in the store are read again. Results therefore
 * contain every write that was acknowledged before the call.
 */
export class UnitCache {
  private readonly translations = new SizedCache<CachedTranslation>(CACHED_UNITS);

  constructor(private readonly units: Pick<UnitReader, 'ofTranslation' | 'many'> & Pick<UnitFields, 'versions'>) {}

  /** Whether the units of a translation with so many strings are cached. */
  holds(translation: number, strings: number): boolean {
    return this.translations.stores(String(translation), strings);
  }

  /**
   * The cached units of a translation.
   * @param translation as it was read for this request
   * @returns undefined when others than the written units would have to be read
   */
  async current({ id, version }: Version): Promise<Unit[] | undefined> {
    const cached = this.translations.get(String(id));
    const current = countLookup('units', cached?.version === version ? cached : undefined);
    return current && this.rereadWritten(current, version);
  }

  /** @param translation as it was read for this request */
  async ofTranslation({ id, version }: Version): Promise<Unit[]> {
    const current = await this.current({ id, version });
    if (current) return current;
    const cached = this.translations.get(String(id));
    const units = cached ? await this.rereadChanged(id, cached.units) : await this.units.ofTranslation(id);
    // Writes reported during the read are not in `written`: they create a later version.
    this.translations.set(
      String(id),
      { version, units: new Map(units.map((unit) => [unit.id, unit])), written: new Map() },
      units.length,
    );
    return units;
  }

  /** Records a write of this process and the version of the translation that it created. */
  recordWrite({ id, version }: Version, units: WrittenUnits): void {
    const cached = this.translations.get(String(id));
    if (!cached) return;
    if (units === 'any' || cached.written.size + units.length > cached.units.size / 2) {
      this.translations.delete(String(id));
      return;
    }
    for (const unit of units) cached.written.set(unit, Math.max(version, cached.written.get(unit) ?? 0));
    // A gap in the versions is a write of another process, which may have changed any unit.
    if (version === cached.version + 1) cached.version = version;
  }

  private async rereadWritten(cached: CachedTranslation, version: number): Promise<Unit[]> {
    const writtenIds = [...cached.written.keys()];
    const fresh = new Map((await this.units.many(writtenIds)).map((unit) => [unit.id, unit]));
    for (const id of writtenIds) {
      const writtenAt = cached.written.get(id);
      // A concurrent caller has read the unit already.
      if (writtenAt === undefined) continue;
      const unit = fresh.get(id);
      if (unit) cached.units.set(id, unit);
      else cached.units.delete(id);
      // A later write may be missing in the unit that was read.
      if (writtenAt <= version) cached.written.delete(id);
    }
    return [...cached.units.values()];
  }

  private async rereadChanged(translation: number, known: ReadonlyMap<number, Unit>): Promise<Unit[]> {
    const versions = await this.units.versions(translation);
    const stale = versions.filter(({ id, version, position }) => {
      const unit = known.get(id);
      return unit?.version !== version || unit.position !== position;
    });
    // Reading most units by id is slower than reading all.
    if (stale.length > versions.length / 2) return this.units.ofTranslation(translation);
    const fresh = new Map((await this.units.many(stale.map(({ id }) => id))).map((unit) => [unit.id, unit]));
    return versions.flatMap(({ id }) => fresh.get(id) ?? known.get(id) ?? []);
  }
}
