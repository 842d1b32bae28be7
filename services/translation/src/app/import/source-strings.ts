import { eachInSlices, flatMapInSlices, mapInSlices } from '@parlance/workload';
import type { Component } from '../../domain/component';
import { count, emptyCounters, type Counters } from '../../domain/counters';
import { importMark } from '../../domain/import-marks';
import { NO_AUTHOR } from '../../domain/pending';
import type { Clock, Ids, RemovalStore, UnitFields, UnitInserter, UnitKeys, UnitReader } from '../../domain/ports';
import { deriveState, effectiveSource } from '../../domain/source-text';
import type { Translation } from '../../domain/translation';
import { contentHash, State, type Unit } from '../../domain/unit';
import type { UnitEvaluators } from '../caches/interfaces';
import { measure } from '../checks/unit-evaluator';
import { retryLost } from '../edit/contention';
import { applySourceTexts, type ApplySourceTextsDeps } from '../effects/apply-source-texts';
import { deduplicateByKey } from './duplicate-keys';
import { blankUnit, sourceInfoOf, type FileEntry, type SourceInfo } from './file-entry';
import type { ImportOptions } from './import-options';

export interface SourceStringsDeps extends ApplySourceTextsDeps, Clock {
  units: ApplySourceTextsDeps['units'] & UnitReader & UnitKeys & UnitFields & UnitInserter;
  ids: Ids;
  removals: Pick<RemovalStore, 'keysOf'>;
  evaluators: UnitEvaluators;
}

/** The source strings of a component during an import. */
export class SourceStrings {
  /** By key, in the order of the file. */
  readonly byKey = new Map<string, SourceInfo>();
  readonly counters: Counters = emptyCounters();
  /** Strings were added to a listed source translation, so its counters are outdated. */
  needRecount = false;
  /** Source units whose key another source unit has. */
  duplicates: number[] = [];
  /** Versions of the source units as they were loaded. */
  private versions = new Map<number, number>();
  private lastPosition = 0;

  /**
   * @param translation the source translation
   * @param insertNew inserts the strings of a new source translation; absent: the translation is already listed
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
    const { stored, extra } = await deduplicateByKey(units);
    this.duplicates = extra.map(({ id }) => id);
    this.byKey.clear();
    this.versions = new Map(units.map(({ id, version }) => [id, version]));
    await eachInSlices(
      [...stored.values()].sort((one, other) => one.position - other.position),
      (unit) => {
        this.byKey.set(unit.key, sourceInfoOf(unit, this.component));
        this.lastPosition = Math.max(this.lastPosition, unit.position);
      },
    );
  }

  /**
   * Adds the missing source strings of entries.
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
      this.byKey.set(entry.key, sourceInfoOf(unit, this.component));
      count(this.counters, unit, 1);
      return unit;
    });
    if (this.insertNew) await this.insertNew(units);
    else await this.insertListed(units);
    return units.length;
  }

  private unitOf(entry: FileEntry, id: number, now: number): Unit {
    const { component, options, translation } = this;
    const evaluator = this.deps.evaluators.for(component, component.sourceLanguage);
    const target = this.monolingual ? entry.target : entry.source;
    const unit: Unit = {
      ...blankUnit(translation, { ...entry, target }, id, now),
      ...measure(effectiveSource({ source: entry.source, target }), component.sourceLanguage.code),
      isSource: true,
      state: this.monolingual ? entry.state : State.readonly,
      position: ++this.lastPosition,
      sourceUnit: id,
      priority: evaluator.priority(entry.flags, ''),
    };
    // In a first import, every string is new, so the mark for new strings would carry no information.
    if (!options.initial) Object.assign(unit, importMark(component.importMarks, unit, true, options.author, now));
    Object.assign(unit, deriveState(unit, unit.source, evaluator.isReadonly(entry.flags, '')));
    unit.checks = evaluator.checks({ ...unit, sourceExtraFlags: '' });
    return unit;
  }

  /** Inserts into a listed translation. A unit with the same key that was added concurrently becomes the source string. */
  private insertListed(units: readonly Unit[]): Promise<void> {
    return retryLost(units, async (left) => {
      const existing = new Set(await this.deps.units.insertNew(left));
      const retries: Unit[] = [];
      for (const unit of left.filter(({ id }) => existing.has(id))) {
        const concurrent = await this.deps.units.byKey(unit.translation, unit.key);
        if (concurrent) this.byKey.set(unit.key, sourceInfoOf(concurrent, this.component));
        else retries.push(unit);
      }
      return retries;
    });
  }

  /** Updates the translations of source strings that were edited during the import. */
  async spreadConcurrentEdits(): Promise<void> {
    const { units } = this.deps;
    const edited = (await units.versions(this.translation.id)).filter(
      ({ id, version }) => (this.versions.get(id) ?? version) !== version,
    );
    if (edited.length === 0) return;
    const imported = new Map<number, SourceInfo>();
    await eachInSlices(this.byKey.values(), (sourceInfo) => imported.set(sourceInfo.id, sourceInfo));
    const before = (await units.many(edited.map(({ id }) => id))).map((unit) => ({
      ...unit,
      contentHash: contentHash(unit.context, imported.get(unit.id)!.source),
    }));
    await applySourceTexts(this.deps, this.component, before, this.options.author ?? NO_AUTHOR);
  }
}
