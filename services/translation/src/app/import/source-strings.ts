import { eachInSlices, flatMapInSlices, mapInSlices } from '@parlance/workload';
import type { Component } from '../../domain/component';
import { count, emptyCounters, type Counters } from '../../domain/counters';
import { importMark } from '../../domain/import-marks';
import { nobody } from '../../domain/pending';
import type { Clock, Ids, RemovalStore, UnitFields, UnitInserter, UnitKeys, UnitReader } from '../../domain/ports';
import { followSource, shownSource } from '../../domain/source-text';
import type { Translation } from '../../domain/translation';
import { contentHash, State, type Unit } from '../../domain/unit';
import type { Judges } from '../caches/interfaces';
import { measure } from '../checks/quality';
import { retryLate } from '../edit/contention';
import { spreadSourceTexts, type SpreadSourceTextsDeps } from '../edit/spread-source-texts';
import { withoutTwins } from './duplicate-keys';
import { blankUnit, factsOf, type FileEntry, type SourceFacts } from './file-entry';
import type { ImportOptions } from './import-options';

export interface SourceStringsDeps extends SpreadSourceTextsDeps, Clock {
  units: SpreadSourceTextsDeps['units'] & UnitReader & UnitKeys & UnitFields & UnitInserter;
  ids: Ids;
  removals: Pick<RemovalStore, 'keysOf'>;
  judges: Judges;
}

/** The source strings of a component during an import. */
export class SourceStrings {
  /** By key, in the order of the file. */
  readonly byKey = new Map<string, SourceFacts>();
  readonly counters: Counters = emptyCounters();
  /** Strings were added to a listed source translation: its counters have to be recounted. */
  needRecount = false;
  /** Source units whose keys other source units have, too. */
  duplicates: number[] = [];
  /** Versions of the source units as they were loaded. */
  private versions = new Map<number, number>();
  private lastPosition = 0;

  /**
   * @param translation the source translation
   * @param insertNew inserts the strings of a new source translation; absent: the translation is listed already
   */
  constructor(
    private readonly deps: SourceStringsDeps,
    private readonly component: Component,
    private readonly options: ImportOptions,
    private readonly translation: Translation,
    private readonly insertNew?: (units: Unit[]) => Promise<void>,
  ) {}

  private get monolingual(): boolean {
    return this.component.template !== '';
  }

  async load(): Promise<void> {
    const units = await this.deps.units.ofTranslation(this.translation.id);
    const { stored, extra } = await withoutTwins(units);
    this.duplicates = extra.map(({ id }) => id);
    this.byKey.clear();
    this.versions = new Map(units.map(({ id, version }) => [id, version]));
    await eachInSlices(
      [...stored.values()].sort((one, other) => one.position - other.position),
      (unit) => {
        this.byKey.set(unit.key, factsOf(unit, this.component));
        this.lastPosition = Math.max(this.lastPosition, unit.position);
      },
    );
  }

  /**
   * Adds the source strings that entries need.
   * @param of translation of the entries; absent: the source translation, or a new one
   * @returns the number added
   */
  async add(entries: readonly FileEntry[], of?: Translation): Promise<number> {
    let missing = await flatMapInSlices(entries, (entry) => (this.byKey.has(entry.key) ? [] : [entry]));
    if (missing.length > 0 && of) {
      const deleted = await this.deps.removals.keysOf(of);
      missing = missing.filter(({ key }) => !deleted.has(key));
    }
    if (missing.length === 0) return 0;
    this.needRecount = true;
    const ids = await this.deps.ids.range('unit', missing.length);
    const now = this.deps.now();
    const units = await mapInSlices(missing, (entry, i): Unit => {
      const unit = this.unitOf(entry, ids[i]!, now);
      this.byKey.set(entry.key, factsOf(unit, this.component));
      count(this.counters, unit, 1);
      return unit;
    });
    if (this.insertNew) await this.insertNew(units);
    else await this.insertListed(units);
    return units.length;
  }

  private unitOf(entry: FileEntry, id: number, now: number): Unit {
    const { component, options, translation } = this;
    const judge = this.deps.judges.for(component, component.sourceLanguage);
    const target = this.monolingual ? entry.target : entry.source;
    const unit: Unit = {
      ...blankUnit(translation, { ...entry, target }, id, now),
      ...measure(shownSource({ source: entry.source, target }), component.sourceLanguage.code),
      isSource: true,
      state: this.monolingual ? entry.state : State.readonly,
      position: ++this.lastPosition,
      sourceUnit: id,
      priority: judge.priority(entry.flags, ''),
    };
    // The strings of a first import are not new to anyone.
    if (!options.initial) Object.assign(unit, importMark(component.importMarks, unit, true, options.author, now));
    Object.assign(unit, followSource(unit, unit.source, judge.isReadonly(entry.flags, '')));
    unit.checks = judge.checks({ ...unit, sourceExtraFlags: '' });
    return unit;
  }

  /** Inserts into a listed translation; where a key was added concurrently, that unit is the source string. */
  private insertListed(units: readonly Unit[]): Promise<void> {
    return retryLate(units, async (left) => {
      const met = new Set(await this.deps.units.insertNew(left));
      const again: Unit[] = [];
      for (const unit of left.filter(({ id }) => met.has(id))) {
        const theirs = await this.deps.units.byKey(unit.translation, unit.key);
        if (theirs) this.byKey.set(unit.key, factsOf(theirs, this.component));
        else again.push(unit);
      }
      return again;
    });
  }

  /** Updates the translations of source strings that were edited during the import. */
  async followEdits(): Promise<void> {
    const { units } = this.deps;
    const edited = (await units.versions(this.translation.id)).filter(
      ({ id, version }) => (this.versions.get(id) ?? version) !== version,
    );
    if (edited.length === 0) return;
    const read = new Map<number, SourceFacts>();
    await eachInSlices(this.byKey.values(), (facts) => read.set(facts.id, facts));
    const before = (await units.many(edited.map(({ id }) => id))).map((unit) => ({
      ...unit,
      contentHash: contentHash(unit.context, read.get(unit.id)!.source),
    }));
    await spreadSourceTexts(this.deps, this.component, before, this.options.author ?? nobody);
  }
}
