import { keepsStates } from '@parlance/formats';
import { LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import { eachInSlices, flatMapInSlices, inPortions, mapInSlices, TimeSlice } from '@parlance/workload';
import { Action, type Change } from '../../domain/change';
import type { Component } from '../../domain/component';
import { importMark } from '../../domain/import-marks';
import { isUncommittedAddition } from '../../domain/pending';
import type {
  CheckMarks,
  HistoryWriter,
  RemovalStore,
  TranslationWriter,
  UnitInserter,
  UnitKeys,
  UnitPositions,
  UnitReader,
  UnitRemover,
  UnitWrite,
  UnitWriter,
} from '../../domain/ports';
import { deriveState, effectiveSource } from '../../domain/source-text';
import type { Translation } from '../../domain/translation';
import { timeAfter, type Author, type Unit } from '../../domain/unit';
import { measure } from '../checks/unit-evaluator';
import { blankUnit, type FileEntry, type SourceInfo } from './file-entry';
import { compareUnit, importChange, type CompareContext } from './compare-unit';
import { recordConflict, type Conflict, type RecordConflictDeps } from './conflicts';
import { deduplicateByKey } from './duplicate-keys';
import { numberChanges, type ChangeDraft } from '../history';
import type { KeyedMutex } from '../keyed-mutex';
import type { UnitEffects } from '../effects/unit-effects';
import type { CacheInvalidation, UnitEvaluators } from '../caches/interfaces';
import type { ImportOptions } from './import-options';

export interface MergeImportDeps extends RecordConflictDeps {
  units: UnitReader & UnitKeys & UnitWriter & UnitInserter & UnitPositions & UnitRemover;
  translations: TranslationWriter & Pick<CheckMarks, 'markRecheck'> & RecordConflictDeps['translations'];
  changes: HistoryWriter;
  removals: Pick<RemovalStore, 'keysOf'>;
  evaluators: UnitEvaluators;
  cacheGeneration: CacheInvalidation;
  effects: Pick<UnitEffects, 'recountTranslation'>;
  unitMutex: KeyedMutex<number>;
}

export interface MergeCounts {
  added: number;
  updated: number;
  removed: number;
  conflicts: readonly Conflict[];
}

interface MergeOptions {
  author: Author | null;
  revision: string;
  /** Removes units that are missing from the file, except units that a commit has yet to add. */
  removeMissing: boolean;
  filename?: string;
  /** A user uploaded the file. */
  upload: boolean;
  requireCurrent: ImportOptions['requireCurrent'];
}

/** Attempts to merge one string under contention. */
const MAX_ATTEMPTS = 50;

/**
 * Merges a file's strings into an existing translation. A unit with pending edits keeps its text; if the text in the file changed too,
 * a conflict is recorded and both texts are kept.
 */
export async function mergeIntoTranslation(
  deps: MergeImportDeps,
  component: Component,
  translation: Translation,
  entries: readonly FileEntry[],
  sourceOf: (key: string) => SourceInfo | undefined,
  options: MergeOptions,
): Promise<MergeCounts> {
  const merge = new TranslationMerge(deps, component, translation, sourceOf, options);
  await merge.run(await mapInSlices(entries, (entry, i) => ({ entry, position: i + 1 })));
  const fields = {
    revision: options.revision,
    // The file determines the plural forms.
    ...(options.filename === undefined ? {} : { filename: options.filename, language: translation.language }),
  };
  await deps.translations.update(translation.id, fields);
  await deps.cacheGeneration.changed();
  await deps.effects.recountTranslation(translation.id, []);
  const { added, updated, removed } = merge.counts;
  if (added + updated + removed > 0) await deps.translations.markRecheck([translation.id]);
  return { ...merge.counts, conflicts: [...merge.conflicts.values()] };
}

/** Strings in one bulk write; small, so that preparing the writes and their history entries does not block the event loop. */
const BATCH = 500;

interface PositionedEntry {
  entry: FileEntry;
  position: number;
}

interface MatchedEntry extends PositionedEntry {
  unit: Unit;
}

class TranslationMerge {
  readonly counts = { added: 0, updated: 0, removed: 0 };
  /** By unit: a retry of a unit finds the same conflict. */
  readonly conflicts = new Map<number, Conflict>();
  private readonly now: number;
  private readonly context: CompareContext;

  constructor(
    private readonly deps: MergeImportDeps,
    private readonly component: Component,
    private readonly translation: Translation,
    private readonly sourceOf: (key: string) => SourceInfo | undefined,
    private readonly options: MergeOptions,
  ) {
    this.now = deps.now();
    this.context = {
      component,
      evaluator: deps.evaluators.for(component, translation.language),
      statesInFile: keepsStates(component.fileFormat),
      author: options.author,
      upload: options.upload,
      now: this.now,
    };
  }

  /** Merges in bulk, then retries strings with concurrent edits one by one. */
  async run(todo: readonly PositionedEntry[]): Promise<void> {
    const { deps, translation } = this;
    const { stored, extra } = await deduplicateByKey(await deps.units.ofTranslation(translation.id));
    const known: MatchedEntry[] = [];
    const added: PositionedEntry[] = [];
    await eachInSlices(todo, (placed) => {
      const unit = stored.get(placed.entry.key);
      if (unit) known.push({ ...placed, unit });
      else added.push(placed);
    });
    await this.updatePositions(todo, stored);
    const late = await inPortions(known, BATCH, (some) => this.write(some));
    const existing = await inPortions(added, BATCH, (some) => this.add(some));
    // Duplicate source strings may still have translations; the import session removes them at its end.
    if (!translation.isSource) await this.remove(extra);
    if (this.options.removeMissing) {
      const present = new Set<string>();
      await eachInSlices(todo, ({ entry }) => present.add(entry.key));
      await this.remove(
        await flatMapInSlices(stored.values(), (unit) =>
          present.has(unit.key) || isUncommittedAddition(unit) ? [] : [unit],
        ),
      );
    }
    for (const { unit, ...placed } of late)
      await deps.unitMutex.take(unit.id, () => this.retryLostUnit(unit.id, placed));
    for (const placed of existing) await this.mergeInserted(placed);
  }

  /** Writes the changes of some units. @returns the units with a concurrent write */
  private async write(some: readonly MatchedEntry[]): Promise<MatchedEntry[]> {
    // The units were read before: if a later import changes one of them after this check, the conditional write fails.
    await this.options.requireCurrent();
    const writes: (UnitWrite & { of: MatchedEntry; change: ChangeDraft | undefined })[] = [];
    const slice = new TimeSlice();
    for (const of of some) {
      if (slice.isOver()) await slice.next();
      const { unit } = of;
      const { patch, change, conflict } = compareUnit(this.context, unit, of.entry, this.sourceInfo(of.entry));
      if (conflict) await this.recordConflict(unit, conflict);
      if (Object.keys(patch).length > 0)
        writes.push({
          unit: unit.id,
          version: unit.version,
          patch: { ...patch, updated: timeAfter(unit, this.now) },
          of,
          change,
        });
    }
    if (writes.length === 0) return [];
    // The history is written first: it is the only copy of a replaced text.
    const changed = writes.filter((w) => w.change);
    const entries = await this.record(changed.map((w) => w.change!));
    const late = new Set(await this.deps.units.writeMany(writes));
    await this.deps.changes.retract(entries.filter((_, i) => late.has(changed[i]!.unit)));
    this.counts.updated += writes.length - late.size;
    return writes.filter((w) => late.has(w.unit)).map((w) => w.of);
  }

  /** Merges a string that was edited concurrently. The caller holds the mutex of the unit. */
  private async retryLostUnit(id: number, placed: PositionedEntry): Promise<void> {
    await optimisticUpdate<void>(
      async () => {
        const unit = await this.deps.units.get(id);
        if (unit) return (await this.write([{ ...placed, unit }])).length === 0 ? undefined : LOST_RACE;
        for (const existing of await this.add([placed])) await this.mergeInserted(existing);
      },
      { attempts: MAX_ATTEMPTS },
    );
  }

  /** Merges a string whose key was inserted concurrently. */
  private async mergeInserted(placed: PositionedEntry): Promise<void> {
    await optimisticUpdate<void>(
      async () => {
        const theirs = await this.deps.units.byKey(this.translation.id, placed.entry.key);
        if (theirs) return this.deps.unitMutex.take(theirs.id, () => this.retryLostUnit(theirs.id, placed));
        return (await this.add([placed])).length === 0 ? undefined : LOST_RACE;
      },
      { attempts: MAX_ATTEMPTS },
    );
  }

  private sourceInfo(entry: FileEntry): SourceInfo | undefined {
    return this.translation.isSource ? undefined : this.sourceOf(entry.key);
  }

  private async recordConflict(unit: Unit, conflict: Conflict): Promise<void> {
    if (!this.conflicts.has(unit.id)) this.conflicts.set(unit.id, conflict);
    await recordConflict(this.deps, unit, conflict, this.options.revision);
  }

  private async record(changes: readonly ChangeDraft[]): Promise<Change[]> {
    const numbered = await numberChanges(this.deps, changes);
    await this.deps.changes.insert(numbered);
    return numbered;
  }

  /** Adds strings of the file. @returns the strings whose keys were inserted concurrently */
  private async add(missing: readonly PositionedEntry[]): Promise<PositionedEntry[]> {
    if (missing.length === 0) return [];
    const added = await this.withoutDeleted(missing);
    if (added.length === 0) return [];
    await this.options.requireCurrent();
    const ids = await this.deps.ids.range('unit', added.length);
    const evaluator = this.deps.evaluators.for(this.component, this.translation.language);
    const units = await mapInSlices(added, ({ entry, position }, i): Unit => {
      const sourceInfo = this.sourceInfo(entry);
      const { words, chars } = sourceInfo ?? measure(effectiveSource(entry), this.component.sourceLanguage.code);
      const unit: Unit = {
        ...blankUnit(this.translation, entry, ids[i]!, this.now),
        position,
        words,
        chars,
        sourceUnit: sourceInfo?.id ?? ids[i]!,
      };
      Object.assign(unit, importMark(this.component.importMarks, unit, true, this.options.author, this.now));
      const flagged = evaluator.isReadonly(entry.flags, sourceInfo?.extraFlags ?? '');
      Object.assign(unit, deriveState(unit, unit.source, flagged || sourceInfo?.ready === false));
      unit.checks = evaluator.checks({ ...unit, sourceExtraFlags: sourceInfo?.extraFlags ?? '' });
      unit.priority = evaluator.priority(entry.flags, sourceInfo?.extraFlags ?? '');
      return unit;
    });
    const existing = new Set(await this.deps.units.insertNew(units));
    const inserted = units.filter(({ id }) => !existing.has(id));
    const changes = inserted.map((u) =>
      importChange(
        this.context,
        u,
        this.options.upload
          ? Action.addedByUpload
          : this.translation.isSource
            ? Action.newSource
            : Action.addedFromRepository,
        u.target,
        [],
      ),
    );
    await this.record(changes);
    this.counts.added += inserted.length;
    return added.filter((_, i) => existing.has(ids[i]!));
  }

  /** Omits locally deleted strings, which the next commit removes from the file. */
  private async withoutDeleted(missing: readonly PositionedEntry[]): Promise<PositionedEntry[]> {
    const { translation } = this;
    const deleted = await this.deps.removals.keysOf(translation);
    // A string without a source string was deleted together with it.
    return missing.filter(({ entry: { key } }) => !deleted.has(key) && (translation.isSource || this.sourceOf(key)));
  }

  private async remove(missing: readonly Unit[]): Promise<void> {
    if (missing.length === 0) return;
    // The history keeps the removed text.
    await inPortions(missing, BATCH, async (some) => {
      await this.options.requireCurrent();
      await this.record(some.map((u) => importChange(this.context, u, Action.stringRemoved, u.target, u.target)));
      await this.deps.units.removeMany(some.map((u) => u.id));
      return [];
    });
    this.counts.removed += missing.length;
  }

  /** Updates positions. An insertion shifts all following units by the same distance, so there is one update for each run of units. */
  private async updatePositions(todo: readonly PositionedEntry[], stored: ReadonlyMap<string, Unit>): Promise<void> {
    const moves = await flatMapInSlices(todo, ({ entry, position }) => {
      const unit = stored.get(entry.key);
      return unit ? [{ from: unit.position, by: position - unit.position }] : [];
    });
    moves.sort((a, b) => a.from - b.from);
    // With duplicate positions, or in another order, a range may contain units of several runs: update each unit.
    if (moves.some((move, i) => i > 0 && !isAfter(move, moves[i - 1]!))) {
      await this.deps.units.setPositions(
        await flatMapInSlices(todo, ({ entry, position }) => {
          const unit = stored.get(entry.key);
          return unit && unit.position !== position ? [{ unit: unit.id, position }] : [];
        }),
      );
      return;
    }
    const runs: { from: number; to: number; by: number }[] = [];
    for (const { from, by } of moves) {
      const run = runs.at(-1);
      if (run && run.by === by) run.to = from;
      else runs.push({ from, to: from, by });
    }
    const moving = runs.filter((r) => r.by !== 0);
    // Upward moves start at the end, so that no run moves into the range of a run that has not moved yet.
    for (const run of moving.filter((r) => r.by > 0).reverse())
      await this.deps.units.shiftPositions(this.translation.id, run.from, run.to, run.by);
    for (const run of moving.filter((r) => r.by < 0))
      await this.deps.units.shiftPositions(this.translation.id, run.from, run.to, run.by);
  }
}

/** Whether a moving unit is after another one, before and after the moves. */
function isAfter(one: { from: number; by: number }, other: { from: number; by: number }): boolean {
  return one.from > other.from && one.from + one.by > other.from + other.by;
}
