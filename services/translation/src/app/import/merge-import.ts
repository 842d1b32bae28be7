import { keepsStates } from '@parlance/formats';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { importMark } from '../../domain/import-marks';
import { isToBeAdded, upstreamMoved } from '../../domain/pending';
import type { UnitPatch, UnitWrite } from '../../domain/ports';
import { followSource, shownSource, stateAfterSource } from '../../domain/source-text';
import type { Translation } from '../../domain/translation';
import { contentHash, sameTexts, State, type Author, type Unit } from '../../domain/unit';
import { measure } from '../checks/quality';
import { blankUnit, type FileEntry, type SourceFacts } from './file-entry';
import { recordConflict, type Conflict } from './conflicts';
import { changeOf, historyText, numberChanges, type NewChange } from '../history';
import type { Parts } from '../parts';

export interface MergeCounts {
  added: number;
  updated: number;
  removed: number;
  conflicts: Conflict[];
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

/** Rounds of reading again after units were edited at the same moment. */
const MAX_ROUNDS = 10;

/**
 * Brings a file's strings into a translation that is there already. A unit with pending edits keeps its text; when the repository's
 * text moved at the same time, that is a conflict and both texts are kept.
 */
export async function mergeIntoTranslation(
  parts: Parts,
  component: Component,
  translation: Translation,
  entries: readonly FileEntry[],
  sourceOf: (key: string) => SourceFacts | undefined,
  options: MergeOptions,
): Promise<MergeCounts> {
  const merge = new Merge(parts, component, translation, sourceOf, options);
  let todo: readonly { entry: FileEntry; position: number }[] = entries.map((entry, i) => ({ entry, position: i + 1 }));
  for (let round = 0; todo.length > 0; round++) {
    if (round === MAX_ROUNDS)
      throw new Error(`translation ${translation.id} is edited too often to be merged with its file`);
    todo = await merge.round(todo, round === 0);
  }
  const fields = {
    revision: options.revision,
    ...(options.filename === undefined ? {} : { filename: options.filename }),
  };
  await parts.translations.update(translation.id, fields);
  await parts.effects.recountTranslation(translation.id, []);
  const { added, updated, removed } = merge.counts;
  if (added + updated + removed > 0) await parts.translations.markRecheck([translation.id], true);
  return merge.counts;
}

class Merge {
  readonly counts: MergeCounts = { added: 0, updated: 0, removed: 0, conflicts: [] };
  private readonly now: number;
  private readonly statesInFile: boolean;

  constructor(
    private readonly parts: Parts,
    private readonly component: Component,
    private readonly translation: Translation,
    private readonly sourceOf: (key: string) => SourceFacts | undefined,
    private readonly options: MergeOptions,
  ) {
    this.now = parts.now();
    this.statesInFile = keepsStates(component.fileFormat);
  }

  /** One pass; answers what has to be done again because somebody edited the unit meanwhile. */
  async round(todo: readonly { entry: FileEntry; position: number }[], first: boolean) {
    const { parts, translation } = this;
    const stored = new Map((await parts.units.ofTranslation(translation.id)).map((u) => [u.key, u]));
    const writes: (UnitWrite & { entry: FileEntry; position: number })[] = [];
    const changes: NewChange[] = [];
    const added: { entry: FileEntry; position: number }[] = [];
    const removed = new Set(
      (await parts.removals.ofComponent(translation.component))
        .filter((r) => r.translation === translation.id)
        .map((r) => r.key),
    );
    for (const { entry, position } of todo) {
      const unit = stored.get(entry.key);
      if (!unit) {
        // Deleted here, and the commit that takes it out of the file is still to come.
        if (!removed.has(entry.key)) added.push({ entry, position });
        continue;
      }
      const { patch, change } = await this.compare(unit, entry);
      if (change) changes.push(change);
      if (Object.keys(patch).length > 0)
        writes.push({ unit: unit.id, version: unit.version, patch: { ...patch, updated: this.now }, entry, position });
    }
    await this.record(changes);
    if (first) await this.shift(todo, stored);
    const late = new Set(writes.length > 0 ? await parts.units.writeMany(writes) : []);
    this.counts.updated += writes.length - late.size;
    await this.add(added);
    if (first && this.options.removeMissing) {
      const present = new Set(todo.map((t) => t.entry.key));
      await this.remove([...stored.values()].filter((u) => !present.has(u.key) && !isToBeAdded(u)));
    }
    return writes.filter((w) => late.has(w.unit)).map(({ entry, position }) => ({ entry, position }));
  }

  private facts(entry: FileEntry): SourceFacts | undefined {
    return this.translation.isSource ? undefined : this.sourceOf(entry.key);
  }

  /** What the file changes of a unit. */
  private async compare(unit: Unit, entry: FileEntry): Promise<{ patch: UnitPatch; change?: NewChange }> {
    const facts = this.facts(entry);
    const judge = this.parts.judge(this.component, this.translation.language);
    const patch: UnitPatch = {};
    let change: NewChange | undefined;
    let { target, state } = unit;

    if (unit.edits.length > 0) {
      if (sameTexts(entry.target, unit.target)) {
        // Upstream has what waits here: nothing is left to commit.
        patch.edits = [];
        patch.stored = undefined;
      } else if (upstreamMoved(unit, entry.target)) {
        const conflict: Conflict = {
          translation: unit.translation,
          unit: unit.id,
          context: unit.context,
          source: unit.source,
          local: unit.target,
          upstream: entry.target,
        };
        this.counts.conflicts.push(conflict);
        await recordConflict(this.parts, unit, conflict, this.options.revision);
        patch.suggestions = unit.suggestions + 1;
        patch.stored = { target: entry.target, state: entry.state };
      }
    } else if (!sameTexts(entry.target, unit.target) || this.stateMoved(unit, entry)) {
      target = entry.target;
      state = entry.state;
      patch.target = target;
      if (!sameTexts(entry.target, unit.target))
        change = this.change(
          unit,
          this.options.upload ? Action.updatedByUpload : Action.updatedFromRepository,
          target,
          unit.target,
        );
      const imported = { ...unit, source: entry.source, target, state };
      const mark = change && importMark(this.component.importMarks, imported, false, this.options.author, this.now);
      if (mark) {
        state = mark.state;
        Object.assign(patch, { edits: mark.edits, stored: mark.stored });
      }
    }

    const sourceMoved = !sameTexts(unit.source, entry.source);
    const drafted = unit.isSource && this.component.intermediate !== '';
    if (sourceMoved || drafted) {
      const shown = unit.isSource ? shownSource({ source: entry.source, target }) : entry.source;
      const hash = contentHash(unit.context, shown);
      if (hash !== unit.contentHash) {
        const { words, chars } = facts ?? measure(shown, this.component.sourceLanguage.code);
        Object.assign(patch, { contentHash: hash, words, chars });
      }
    }
    if (sourceMoved) {
      patch.source = entry.source;
      // The text may not fit the developers' new one: a person has to look.
      if (drafted) {
        const after = stateAfterSource({ ...unit, target, state }, entry.source);
        if (after.state !== undefined) state = after.state;
        if (after.previousSource) patch.previousSource = after.previousSource;
      }
      change ??= this.change(unit, Action.sourceChanged, entry.source, unit.source);
    } else if (entry.previousSource.length > 0 && !sameTexts(entry.previousSource, unit.previousSource)) {
      patch.previousSource = entry.previousSource;
    }
    for (const field of ['note', 'location', 'flags'] as const)
      if (unit[field] !== entry[field]) patch[field] = entry[field];

    if (!unit.isSource) {
      const flagged = judge.isReadonly(entry.flags, facts?.extraFlags ?? unit.extraFlags);
      const after = followSource({ ...unit, target, state }, entry.source, flagged || facts?.ready === false);
      if (after.state !== undefined) state = after.state;
      if (after.previousSource) patch.previousSource = after.previousSource;
      if ('formerState' in after && after.formerState !== unit.formerState) patch.formerState = after.formerState;
    }
    if (state !== unit.state) patch.state = state;
    if (patch.target || patch.state !== undefined || patch.source || patch.flags !== undefined) {
      const checks = judge.checks({
        source: entry.source,
        target,
        state,
        isSource: unit.isSource,
        flags: entry.flags,
        sourceExtraFlags: facts?.extraFlags ?? unit.extraFlags,
        dismissedChecks: unit.dismissedChecks,
        checks: unit.checks,
      });
      if (!sameTexts(checks, unit.checks)) patch.checks = checks;
    }
    if (facts && unit.sourceUnit !== facts.id) patch.sourceUnit = facts.id;
    return { patch, ...(change ? { change } : {}) };
  }

  /** A file knows fewer states than Parlance: what it cannot say does not count as a change. */
  private stateMoved(unit: Unit, entry: FileEntry): boolean {
    if (unit.state === State.readonly || unit.state === entry.state) return false;
    if (entry.state !== State.translated) return true;
    if (unit.state === State.approved) return false;
    return unit.state !== State.fuzzy || this.statesInFile;
  }

  private change(unit: Unit, action: number, target: readonly string[], old: readonly string[]): NewChange {
    const author = this.options.author ?? { userId: 0 };
    const details = { state: unit.state, source: unit.source.join('\n') };
    return changeOf(unit, author, this.now, action, historyText(target), historyText(old), details);
  }

  private async record(changes: readonly NewChange[]): Promise<void> {
    await this.parts.changes.insert(await numberChanges(this.parts, changes));
  }

  private async add(added: readonly { entry: FileEntry; position: number }[]): Promise<void> {
    if (added.length === 0) return;
    const ids = await this.parts.ids.range('unit', added.length);
    const judge = this.parts.judge(this.component, this.translation.language);
    const units = added.map(({ entry, position }, i): Unit => {
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
      if (facts) {
        const flagged = judge.isReadonly(entry.flags, facts.extraFlags);
        Object.assign(unit, followSource(unit, unit.source, flagged || !facts.ready));
      }
      unit.checks = judge.checks({ ...unit, sourceExtraFlags: facts?.extraFlags ?? '' });
      unit.priority = judge.priority(entry.flags, facts?.extraFlags ?? '');
      return unit;
    });
    const changes = units.map((u) =>
      this.change(
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
    await this.parts.units.insert(units);
    await this.record(changes);
    this.counts.added += units.length;
  }

  private async remove(gone: readonly Unit[]): Promise<void> {
    if (gone.length === 0) return;
    // The history keeps the text, pending or not.
    const changes = gone.map((u) => this.change(u, Action.stringRemoved, u.target, u.target));
    await this.record(changes);
    await this.parts.units.removeMany(gone.map((u) => u.id));
    this.counts.removed += gone.length;
  }

  /** Moves positions. Strings put into a file move all that follow by the same distance: one update a run, not one a unit. */
  private async shift(
    todo: readonly { entry: FileEntry; position: number }[],
    stored: ReadonlyMap<string, Unit>,
  ): Promise<void> {
    const moves = todo
      .flatMap(({ entry, position }) => {
        const unit = stored.get(entry.key);
        return unit ? [{ from: unit.position, by: position - unit.position }] : [];
      })
      .sort((a, b) => a.from - b.from);
    const runs: { from: number; to: number; by: number }[] = [];
    for (const { from, by } of moves) {
      const run = runs.at(-1);
      if (run && run.by === by) run.to = from;
      else runs.push({ from, to: from, by });
    }
    const moving = runs.filter((r) => r.by !== 0);
    // Runs that move up go first from the end, so that no run moves into one that is still to move.
    for (const run of moving.filter((r) => r.by > 0).reverse())
      await this.parts.units.shift(this.translation.id, run.from, run.to, run.by);
    for (const run of moving.filter((r) => r.by < 0))
      await this.parts.units.shift(this.translation.id, run.from, run.to, run.by);
  }
}
