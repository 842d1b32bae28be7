import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { importMark } from '../../domain/import-marks';
import {
  findSavedEdit,
  hasUpstreamChange,
  isStateOnly,
  NO_AUTHOR,
  planStateEdit,
  withoutCommitted,
} from '../../domain/pending';
import type { UnitPatch } from '../../domain/ports';
import { deriveState, effectiveSource, stateAfterSource } from '../../domain/source-text';
import { contentHash, isBlank, sameTexts, State, type Author, type Unit } from '../../domain/unit';
import { measure, type UnitEvaluator } from '../checks/unit-evaluator';
import { changeOf, historyText, type ChangeDraft } from '../history';
import type { Conflict } from './conflicts';
import type { FileEntry, SourceInfo } from './file-entry';

/** Settings that hold for all units of a merge. */
export interface CompareContext {
  component: Component;
  evaluator: UnitEvaluator;
  /** The file format stores states. */
  statesInFile: boolean;
  author: Author | null;
  /** A user uploaded the file. */
  upload: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Difference between a unit and its entry in a file. */
export interface UnitComparison {
  patch: UnitPatch;
  change?: ChangeDraft;
  /** Both sides changed the text; the local text stays. */
  conflict?: Conflict;
}

/** @param sourceInfo data of the source unit; absent: the unit is a source unit */
export function compareUnit(
  context: CompareContext,
  unit: Unit,
  entry: FileEntry,
  sourceInfo: SourceInfo | undefined,
): UnitComparison {
  const comparison = new UnitComparer(context, unit, entry, sourceInfo);
  comparison.compareText();
  comparison.compareSource();
  comparison.compareFields();
  comparison.compareState();
  comparison.compareChecks();
  return comparison;
}

/** History entry of a change that a file brings. */
export function importChange(
  { author, now }: Pick<CompareContext, 'author' | 'now'>,
  unit: Unit,
  action: number,
  target: readonly string[],
  old: readonly string[],
): ChangeDraft {
  const details = { state: unit.state, source: unit.source.join('\n') };
  return changeOf(unit, author ?? NO_AUTHOR, now, action, historyText(target), historyText(old), details);
}

/** Accumulates the patch; the steps run in order, because later ones depend on the text and state that earlier ones decide. */
class UnitComparer implements UnitComparison {
  readonly patch: UnitPatch = {};
  change?: ChangeDraft;
  conflict?: Conflict;
  /** Text and state after the merge. */
  private target: string[];
  private state: number;
  private source: string[];
  /** The file's text differs from the unit's. */
  private readonly textChanged: boolean;
  /** An edit of the unit still waits for its commit. */
  private isPending: boolean;

  constructor(
    private readonly context: CompareContext,
    private readonly unit: Unit,
    private readonly entry: FileEntry,
    private readonly sourceInfo: SourceInfo | undefined,
  ) {
    this.target = unit.target;
    this.state = unit.state;
    this.source = entry.source;
    this.textChanged = !sameTexts(entry.target, unit.target);
    this.isPending = unit.edits.length > 0;
  }

  compareText(): void {
    const { unit, entry, patch } = this;
    // Upstream contains the pending text already, or changed the text while only a state is pending.
    if (this.isPending && (this.textChanged ? isStateOnly(unit) : !this.stateChanged())) {
      patch.edits = [];
      patch.stored = undefined;
      this.isPending = false;
    }
    if (!this.isPending) {
      if (this.textChanged || this.stateChanged()) this.applyUpstreamText();
    } else if (hasUpstreamChange(unit, entry.target)) this.resolveOtherText();
  }

  /** Both the file and pending edits replaced the text that the file had. */
  private resolveOtherText(): void {
    const { unit, entry, patch } = this;
    const saved = findSavedEdit(unit, entry.target);
    if (saved !== undefined) {
      Object.assign(patch, withoutCommitted(unit, new Set([saved])));
      return;
    }
    const { translation, id, context, source, target } = unit;
    this.conflict = { translation, unit: id, context, source, local: target, upstream: entry.target };
    if (!isBlank(entry.target)) patch.suggestions = unit.suggestions + 1;
    patch.stored = { target: entry.target, state: entry.state };
  }

  private applyUpstreamText(): void {
    const { unit, entry, patch, context } = this;
    this.target = patch.target = entry.target;
    this.state = entry.state;
    if (!this.textChanged) return;
    const action = context.upload ? Action.updatedByUpload : Action.updatedFromRepository;
    this.change = importChange(context, unit, action, entry.target, unit.target);
    const imported = { ...unit, source: entry.source, target: entry.target, state: entry.state };
    const mark = importMark(context.component.importMarks, imported, false, context.author, context.now);
    if (!mark) return;
    this.state = mark.state;
    Object.assign(patch, { edits: mark.edits, stored: mark.stored });
  }

  compareSource(): void {
    const { unit, entry, patch, context, sourceInfo } = this;
    const drafted = unit.isSource && context.component.intermediate !== '';
    // Without a draft, the target of a source unit is its source, including a pending one.
    if (this.isPending && unit.isSource && !drafted) this.source = this.target;
    const { source } = this;
    const sourceChanged = !sameTexts(unit.source, source);
    if (sourceChanged || drafted) {
      const shown = unit.isSource ? effectiveSource({ source, target: this.target }) : source;
      const hash = contentHash(unit.context, shown);
      if (hash !== unit.contentHash) {
        const { words, chars } = sourceInfo ?? measure(shown, context.component.sourceLanguage.code);
        Object.assign(patch, { contentHash: hash, words, chars });
      }
    }
    if (!sourceChanged) {
      const { previousSource } = entry;
      if (previousSource.length > 0 && !sameTexts(previousSource, unit.previousSource))
        patch.previousSource = previousSource;
      return;
    }
    patch.source = source;
    if (drafted) this.applySourceState(stateAfterSource({ ...unit, target: this.target, state: this.state }, source));
    this.change ??= importChange(context, unit, Action.sourceChanged, source, unit.source);
  }

  compareFields(): void {
    const { unit, entry, patch, sourceInfo } = this;
    for (const field of ['note', 'location', 'flags'] as const)
      if (unit[field] !== entry[field]) patch[field] = entry[field];
    if (sourceInfo && unit.sourceUnit !== sourceInfo.id) patch.sourceUnit = sourceInfo.id;
  }

  compareState(): void {
    const { unit, entry, patch, context, sourceInfo, source, target } = this;
    const flagged = context.evaluator.isReadonly(entry.flags, this.extraFlags());
    // A source unit does not translate its source, and a text that arrives with its source was written for it.
    const translatedSource = unit.isSource || (this.textChanged && !this.isPending) ? source : unit.source;
    const before = { ...unit, source: translatedSource, target, state: this.state };
    const after = deriveState(before, source, flagged || sourceInfo?.ready === false);
    this.applySourceState(after);
    if (after.state !== undefined && context.statesInFile && !unit.isSource) {
      const to = { target, state: after.state, author: context.author ?? NO_AUTHOR, time: context.now };
      Object.assign(patch, planStateEdit({ ...unit, ...patch }, { target: entry.target, state: entry.state }, to));
    }
    if ('formerState' in after && after.formerState !== unit.formerState) patch.formerState = after.formerState;
    const translated = this.textChanged && !this.isPending && this.state >= State.translated;
    if (translated && unit.previousSource.length > 0) patch.previousSource ??= entry.previousSource;
    if (this.state !== unit.state) patch.state = this.state;
  }

  compareChecks(): void {
    const { unit, entry, patch, context, source, target, state } = this;
    if (!patch.target && patch.state === undefined && !patch.source && patch.flags === undefined) return;
    const { isSource, dismissedChecks } = unit;
    const sourceExtraFlags = this.extraFlags();
    const checkInput = { source, target, state, isSource, flags: entry.flags, sourceExtraFlags, dismissedChecks };
    const checks = context.evaluator.checks({ ...checkInput, checks: unit.checks });
    if (!sameTexts(checks, unit.checks)) patch.checks = checks;
  }

  private applySourceState({ state, previousSource }: Partial<Pick<Unit, 'state' | 'previousSource'>>): void {
    if (state !== undefined) this.state = state;
    if (previousSource) this.patch.previousSource = previousSource;
  }

  private extraFlags(): string {
    return this.sourceInfo?.extraFlags ?? this.unit.extraFlags;
  }

  /** Files know fewer states than units: a state that the file cannot express does not count as a change. */
  private stateChanged(): boolean {
    const { unit, entry } = this;
    if (unit.state === State.readonly || unit.state === entry.state) return false;
    if (entry.state !== State.translated) return true;
    if (unit.state === State.approved) return false;
    return unit.state !== State.fuzzy || this.context.statesInFile;
  }
}
