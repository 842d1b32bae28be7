import { keepsStates } from '@parlance/formats';
import { LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { groupBy } from '../../domain/group-by';
import { planStateEdit } from '../../domain/pending';
import type { Clock, SharedStrings, UnitPatch, UnitReader, UnitWriter } from '../../domain/ports';
import { deriveState, isReady, effectiveSource } from '../../domain/source-text';
import { sameTexts, State, timeAfter, type Author, type Unit } from '../../domain/unit';
import { changeOf, historyText } from '../history';
import { modifiedConcurrently } from '../edit/contention';
import { writeUnits, type UnitUpdate, type WriteUnitsDeps } from '../edit/write-units';
import type { Glossary, UnitEvaluators, TranslationInfo } from '../caches/interfaces';

export interface ApplySourceTextsDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter & SharedStrings;
  evaluators: UnitEvaluators;
  translationInfo: TranslationInfo;
  glossary: Glossary;
}

/** Attempts under concurrent edits of the same strings. */
const MAX_ROUNDS = 20;

/**
 * Applies changed source texts of a monolingual component to their translations. A translation of the old source needs editing and keeps
 * the old source. If the source is reverted, the translation counts as translated again. With an intermediate file, translations are
 * read-only until their source is ready.
 * @param edited source units as they were before
 */
export async function applySourceTexts(
  deps: ApplySourceTextsDeps,
  component: Component,
  edited: readonly Unit[],
  author: Author,
): Promise<void> {
  if (edited.length === 0) return;
  const hashes = new Set(edited.map((unit) => unit.contentHash));
  let sources = new Map<number, Unit>();
  const pass = async (): Promise<'settled' | 'written' | 'late'> => {
    const now = await deps.units.many(edited.map((unit) => unit.id));
    // A concurrent edit of the source may have searched while the translations still had an older source, and missed them.
    const isKnown = (unit: Unit): boolean => {
      const before = sources.get(unit.id);
      return before?.contentHash === unit.contentHash && isReady(component, before) === isReady(component, unit);
    };
    if (now.every(isKnown)) return 'settled';
    sources = new Map(now.map((unit) => [unit.id, unit]));
    for (const { contentHash } of now) hashes.add(contentHash);
    const family = await deps.units.twins(component.project, null, [...hashes]);
    const behind = family.filter((unit) => {
      const source = sources.get(unit.sourceUnit);
      if (!source || unit.isSource) return false;
      const heldBack = unit.state === State.readonly && unit.formerState !== undefined;
      return (
        !sameTexts(unit.source, effectiveSource(source)) ||
        (component.intermediate !== '' && heldBack === isReady(component, source))
      );
    });
    const late = await applyToTranslation(deps, component, behind, sources, author);
    if (late) sources.clear();
    return late ? 'late' : 'written';
  };
  const attempt = async () => {
    let outcome = await pass();
    // The sources are read again at once: without contention no work remains.
    if (outcome === 'written') outcome = await pass();
    return outcome === 'settled' ? undefined : LOST_RACE;
  };
  await optimisticUpdate<void>(attempt, { attempts: MAX_ROUNDS, exhausted: modifiedConcurrently });
}

/** @returns whether a write lost its race */
async function applyToTranslation(
  deps: ApplySourceTextsDeps,
  component: Component,
  units: readonly Unit[],
  sources: ReadonlyMap<number, Unit>,
  author: Author,
): Promise<boolean> {
  const time = deps.now();
  let again = false;
  for (const [id, some] of groupBy(units, (unit) => unit.translation)) {
    const translation = await deps.translationInfo.get(id);
    if (!translation) continue;
    const evaluator = deps.evaluators.for(component, translation.language);
    const planned = some.map((unit): UnitUpdate => {
      const sourceUnit = sources.get(unit.sourceUnit)!;
      const { contentHash, words, chars, extraFlags } = sourceUnit;
      const source = effectiveSource(sourceUnit);
      const readonly = evaluator.isReadonly(unit.flags, extraFlags) || !isReady(component, sourceUnit);
      const followed = deriveState(unit, source, readonly);
      const { target } = unit;
      // Formats with states get the new state with the next commit.
      const waiting =
        followed.state !== undefined && keepsStates(component.fileFormat)
          ? planStateEdit(
              unit,
              { target, state: unit.formerState ?? unit.state },
              { target, state: followed.state, author, time },
            )
          : {};
      const moved: UnitPatch = {
        source,
        contentHash,
        words,
        chars,
        updated: timeAfter(unit, time),
        ...followed,
        ...waiting,
      };
      const patch = { ...moved, checks: evaluator.checks({ ...unit, ...moved, sourceExtraFlags: extraFlags }) };
      const change = changeOf(unit, author, time, Action.sourceChanged, historyText(source), historyText(unit.source), {
        state: patch.state ?? unit.state,
        old_state: unit.state,
        source: historyText(source),
        context: unit.context,
      });
      return { unit, patch, changes: sameTexts(unit.source, source) ? [] : [change] };
    });
    const { late } = await writeUnits(deps, id, planned, { author, time });
    again ||= late.length > 0;
  }
  if (component.isGlossary && units.length > 0) await deps.glossary.termsChanged(component.project, null);
  return again;
}
