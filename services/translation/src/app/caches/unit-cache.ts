import { counter } from '@parlance/telemetry';
import type { UnitFields, UnitReader, WrittenUnits } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import { SizedCache } from './sized-cache';

const lookups = counter('parlance_cache_requests_total');

/** Units that are kept in memory; a translation with more than a quarter of them is read anew each time. */
const CACHED_UNITS = 40_000;

type Version = Pick<Translation, 'id' | 'version'>;

/** The units of one translation. */
interface Kept {
  /** Version of the translation that these units and what is in `written` show. */
  version: number;
  readonly units: Map<number, Unit>;
  /** Units that this process wrote since they were read, each with the version that its last write led to. */
  readonly written: Map<number, number>;
}

/**
 * All units of a translation, for uploads and exports. They are kept in memory. What this process wrote since is known, so under the
 * version that these writes led to only the written units are read again; under any other one a reader asks the store for versions
 * and positions, and reads the units that have another one by now. So what it answers holds every write that was answered before.
 */
export class UnitCache {
  private readonly translations = new SizedCache<Kept>(CACHED_UNITS);

  constructor(private readonly units: Pick<UnitReader, 'ofTranslation' | 'many'> & Pick<UnitFields, 'versions'>) {}

  /** @param translation as it was read for this request */
  async ofTranslation({ id, version }: Version): Promise<Unit[]> {
    const kept = this.translations.get(String(id));
    lookups.inc({ cache: 'units', result: kept?.version === version ? 'hit' : 'miss' });
    if (kept?.version === version) return this.completed(kept, version);
    const units = kept ? await this.renewed(id, kept.units) : await this.units.ofTranslation(id);
    // Writes that were told meanwhile may have come after the read: their version is not this one.
    this.translations.set(
      String(id),
      { version, units: new Map(units.map((unit) => [unit.id, unit])), written: new Map() },
      units.length,
    );
    return units;
  }

  /** A write of this process led to a version of a translation. */
  wrote({ id, version }: Version, units: WrittenUnits): void {
    const kept = this.translations.get(String(id));
    if (!kept) return;
    if (units === 'any' || kept.written.size + units.length > kept.units.size / 2) {
      this.translations.delete(String(id));
      return;
    }
    for (const unit of units) kept.written.set(unit, Math.max(version, kept.written.get(unit) ?? 0));
    // After a version that nobody told of here, any unit may have changed.
    if (version === kept.version + 1) kept.version = version;
  }

  private async completed(kept: Kept, version: number): Promise<Unit[]> {
    const asked = [...kept.written.keys()];
    const fresh = new Map((await this.units.many(asked)).map((unit) => [unit.id, unit]));
    for (const id of asked) {
      const writtenAt = kept.written.get(id);
      // Somebody who asked later has read it already.
      if (writtenAt === undefined) continue;
      const unit = fresh.get(id);
      if (unit) kept.units.set(id, unit);
      else kept.units.delete(id);
      // A write that was told since may have come after the read.
      if (writtenAt <= version) kept.written.delete(id);
    }
    return [...kept.units.values()];
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
