import { keepsStates } from '@parlance/formats';
import { LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import { eachInSlices, flatMapInSlices, inPortions, mapInSlices, TimeSlice } from '@parlance/workload';
import { Action, type Change } from '../../domain/change';
import type { Component } from '../../domain/component';
import { importMark } from '../../domain/import-marks';
import { isToBeAdded } from '../../domain/pending';
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
import { followSource, shownSource } from '../../domain/source-text';
import type { Translation } from '../../domain/translation';
import { timeAfter, type Author, type Unit } from '../../domain/unit';
import { measure } from '../checks/quality';
import { blankUnit, type FileEntry, type SourceFacts } from './file-entry';
import { compareUnit, importChange, type CompareContext } from './compare-unit';
import { recordConflict, type Conflict, type RecordConflictDeps } from './conflicts';
import { withoutTwins } from './duplicate-keys';
import { numberChanges, type ChangeDraft } from '../history';
import type { KeyedMutex } from '../keyed-mutex';
import type { UnitEffects } from '../edit/unit-effects';
import type { CacheInvalidation, Judges } from '../caches/interfaces';

export interface MergeImportDeps extends RecordConflictDeps {
  units: UnitReader & UnitKeys & UnitWriter & UnitInserter & UnitPositions & UnitRemover;
  translations: TranslationWriter & Pick<CheckMarks, 'markRecheck'> & RecordConflictDeps['translations'];
  changes: HistoryWriter;
  removals: Pick<RemovalStore, 'keysOf'>;
  judges: Judges;
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
  /** Units that the file lacks are removed, save those that are still to be added to it. */
  removeMissing: boolean;
  filename?: string;
  /** The file was uploaded by a person: the history says so. */
  upload: boolean;
}

/** Attempts to merge one string under contention. */
const MAX_ATTEMPTS = 50;

/**
 * Brings a file's strings into a translation that is there already. A unit with pending edits keeps its text; when the repository's
 * text moved at the same time, that is a conflict and both texts are kept.
 */
export async function mergeIntoTranslation(
  deps: MergeImportDeps,
  component: Component,
  translation: Translation,
  entries: readonly FileEntry[],
  sourceOf: (key: string) => SourceFacts | undefined,
  options: MergeOptions,
): Promise<MergeCounts> {
  const merge = new Merge(deps, component, translation, sourceOf, options);
  await merge.all(await mapInSlices(entries, (entry, i) => ({ entry, position: i + 1 })));
  const fields = {
    revision: options.revision,
    // Its plural forms are those of the file.
    ...(options.filename === undefined ? {} : { filename: options.filename, language: translation.language }),
  };
  await deps.translations.update(translation.id, fields);
  await deps.cacheGeneration.changed();
  await deps.effects.recountTranslation(translation.id, []);
  const { added, updated, removed } = merge.counts;
  if (added + updated + removed > 0) await deps.translations.markRecheck([translation.id], true);
  return { ...merge.counts, conflicts: [...merge.conflicts.values()] };
}

/** Strings that are written together: few, so that neither their writes nor their history take long to be put together. */
const PORTION = 500;

/** A string of the file, and its place there. */
interface Placed {
  entry: FileEntry;
  position: number;
}

/** A string that the translation has as well. */
interface Known extends Placed {
  unit: Unit;
}

class Merge {
  readonly counts = { added: 0, updated: 0, removed: 0 };
  /** By the unit: one that is read again is the same conflict. */
  readonly conflicts = new Map<number, Conflict>();
  private readonly now: number;
  private readonly context: CompareContext;

  constructor(
    private readonly deps: MergeImportDeps,
    private readonly component: Component,
    private readonly translation: Translation,
    private readonly sourceOf: (key: string) => SourceFacts | undefined,
    private readonly options: MergeOptions,
  ) {
    this.now = deps.now();
    this.context = {
      component,
      judge: deps.judges.for(component, translation.language),
      statesInFile: keepsStates(component.fileFormat),
      author: options.author,
      upload: options.upload,
      now: this.now,
    };
  }

  /** All strings of the file. Those that somebody edits meanwhile follow one by one. */
  async all(todo: readonly Placed[]): Promise<void> {
    const { deps, translation } = this;
    const { stored, extra } = await withoutTwins(await deps.units.ofTranslation(translation.id));
    const known: Known[] = [];
    const added: Placed[] = [];
    await eachInSlices(todo, (placed) => {
      const unit = stored.get(placed.entry.key);
      if (unit) known.push({ ...placed, unit });
      else added.push(placed);
    });
    await this.shift(todo, stored);
    const late = await inPortions(known, PORTION, (some) => this.write(some));
    const met = await inPortions(added, PORTION, (some) => this.add(some));
    // Those of the source language go when no translation belongs to them any more.
    if (!translation.isSource) await this.remove(extra);
    if (this.options.removeMissing) {
      const present = new Set<string>();
      await eachInSlices(todo, ({ entry }) => present.add(entry.key));
      await this.remove(
        await flatMapInSlices(stored.values(), (unit) => (present.has(unit.key) || isToBeAdded(unit) ? [] : [unit])),
      );
    }
    for (const { unit, ...placed } of late) await deps.unitMutex.take(unit.id, () => this.again(unit.id, placed));
    for (const placed of met) await this.meet(placed);
  }

  /** Writes what the file changes of some units; answers those that somebody wrote meanwhile. */
  private async write(some: readonly Known[]): Promise<Known[]> {
    const writes: (UnitWrite & { of: Known; change: ChangeDraft | undefined })[] = [];
    const slice = new TimeSlice();
    for (const of of some) {
      if (slice.isOver()) await slice.next();
      const { unit } = of;
      const { patch, change, conflict } = compareUnit(this.context, unit, of.entry, this.facts(of.entry));
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
    // The history comes first: a text that gives way is nowhere else.
    const changed = writes.filter((w) => w.change);
    const entries = await this.record(changed.map((w) => w.change!));
    const late = new Set(await this.deps.units.writeMany(writes));
    await this.deps.changes.retract(entries.filter((_, i) => late.has(changed[i]!.unit)));
    this.counts.updated += writes.length - late.size;
    return writes.filter((w) => late.has(w.unit)).map((w) => w.of);
  }

  /** Merges a string that was edited concurrently; edits through this process wait. */
  private async again(id: number, placed: Placed): Promise<void> {
    await optimisticUpdate<void>(
      async () => {
        const unit = await this.deps.units.get(id);
        if (unit) return (await this.write([{ ...placed, unit }])).length === 0 ? undefined : LOST_RACE;
        for (const met of await this.add([placed])) await this.meet(met);
      },
      { attempts: MAX_ATTEMPTS },
    );
  }

  /** Merges a string whose key was inserted concurrently. */
  private async meet(placed: Placed): Promise<void> {
    await optimisticUpdate<void>(
      async () => {
        const theirs = await this.deps.units.byKey(this.translation.id, placed.entry.key);
        if (theirs) return this.deps.unitMutex.take(theirs.id, () => this.again(theirs.id, placed));
        return (await this.add([placed])).length === 0 ? undefined : LOST_RACE;
      },
      { attempts: MAX_ATTEMPTS },
    );
  }

  private facts(entry: FileEntry): SourceFacts | undefined {
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

  /** Adds strings of the file; answers those that somebody else added at the same moment. */
  private async add(missing: readonly Placed[]): Promise<Placed[]> {
    if (missing.length === 0) return [];
    const added = await this.wanted(missing);
    if (added.length === 0) return [];
    const ids = await this.deps.ids.range('unit', added.length);
    const judge = this.deps.judges.for(this.component, this.translation.language);
    const units = await mapInSlices(added, ({ entry, position }, i): Unit => {
      const facts = this.facts(entry);
      const { words, chars } = facts ?? measure(shownSource(entry), this.component.sourceLanguage.code);
      const unit: Unit = {
        ...blankUnit(this.translation, entry, ids[i]!, this.now),
        position,
        words,
        chars,
        sourceUnit: facts?.id ?? ids[i]!,
      };
      Object.assign(unit, importMark(this.component.importMarks, unit, true, this.options.author, this.now));
      const flagged = judge.isReadonly(entry.flags, facts?.extraFlags ?? '');
      Object.assign(unit, followSource(unit, unit.source, flagged || facts?.ready === false));
      unit.checks = judge.checks({ ...unit, sourceExtraFlags: facts?.extraFlags ?? '' });
      unit.priority = judge.priority(entry.flags, facts?.extraFlags ?? '');
      return unit;
    });
    const met = new Set(await this.deps.units.insertNew(units));
    const made = units.filter(({ id }) => !met.has(id));
    const changes = made.map((u) =>
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
    this.counts.added += made.length;
    return added.filter((_, i) => met.has(ids[i]!));
  }

  /** Without the strings that were deleted here, whose file loses them with a commit that is still to come. */
  private async wanted(missing: readonly Placed[]): Promise<Placed[]> {
    const { translation } = this;
    const deleted = await this.deps.removals.keysOf(translation);
    // A string whose source string went with it meanwhile was deleted as well.
    return missing.filter(({ entry: { key } }) => !deleted.has(key) && (translation.isSource || this.sourceOf(key)));
  }

  private async remove(gone: readonly Unit[]): Promise<void> {
    if (gone.length === 0) return;
    // The history keeps the text, pending or not.
    await inPortions(gone, PORTION, async (some) => {
      await this.record(some.map((u) => importChange(this.context, u, Action.stringRemoved, u.target, u.target)));
      await this.deps.units.removeMany(some.map((u) => u.id));
      return [];
    });
    this.counts.removed += gone.length;
  }

  /** Moves positions. Strings put into a file move all that follow by the same distance: one update a run, not one a unit. */
  private async shift(todo: readonly Placed[], stored: ReadonlyMap<string, Unit>): Promise<void> {
    const moves = await flatMapInSlices(todo, ({ entry, position }) => {
      const unit = stored.get(entry.key);
      return unit ? [{ from: unit.position, by: position - unit.position }] : [];
    });
    moves.sort((a, b) => a.from - b.from);
    // Units with one and the same position do not move as a run.
    if (moves.some(({ from }, i) => from === moves[i - 1]?.from)) {
      await this.deps.units.place(
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
    // Runs that move up go first from the end, so that no run moves into one that is still to move.
    for (const run of moving.filter((r) => r.by > 0).reverse())
      await this.deps.units.shift(this.translation.id, run.from, run.to, run.by);
    for (const run of moving.filter((r) => r.by < 0))
      await this.deps.units.shift(this.translation.id, run.from, run.to, run.by);
  }
}
