import { keepsStates } from '@parlance/formats';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { groupBy } from '../../domain/group-by';
import { stateForFile } from '../../domain/pending';
import type { Clock, SharedStrings, UnitPatch, UnitReader, UnitWriter } from '../../domain/ports';
import { followSource, isReady, shownSource } from '../../domain/source-text';
import { sameTexts, State, timeAfter, type Author, type Unit } from '../../domain/unit';
import { changeOf, historyText } from '../history';
import { writeUnits, type UnitUpdate, type WriteUnitsDeps } from './write-units';
import type { Glossary, Judges, TranslationInfo } from '../caches/interfaces';

export interface SpreadSourceTextsDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter & SharedStrings;
  judges: Judges;
  translationInfo: TranslationInfo;
  glossary: Glossary;
}

/** Rounds of looking again after strings were edited at the same moment. */
const MAX_ROUNDS = 20;

/**
 * Lets changed source texts of a monolingual component take effect on their translations: a text that was good for the old source
 * needs editing, with the old source kept beside it; when the source comes back to that, the text is good again. With an intermediate
 * file, translations are read-only until their source is ready.
 * @param edited source units as they were before
 */
export async function spreadSourceTexts(
  deps: SpreadSourceTextsDeps,
  component: Component,
  edited: readonly Unit[],
  author: Author,
): Promise<void> {
  if (edited.length === 0) return;
  const hashes = new Set(edited.map((unit) => unit.contentHash));
  let sources = new Map<number, Unit>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = await deps.units.many(edited.map((unit) => unit.id));
    // Another edit of a source may have looked for its translations while they had an older text still, and found none.
    const isKnown = (unit: Unit): boolean => {
      const before = sources.get(unit.id);
      return before?.contentHash === unit.contentHash && isReady(component, before) === isReady(component, unit);
    };
    if (now.every(isKnown)) return;
    sources = new Map(now.map((unit) => [unit.id, unit]));
    for (const { contentHash } of now) hashes.add(contentHash);
    const family = await deps.units.twins(component.project, null, [...hashes]);
    const behind = family.filter((unit) => {
      const source = sources.get(unit.sourceUnit);
      if (!source || unit.isSource) return false;
      const heldBack = unit.state === State.readonly && unit.formerState !== undefined;
      return (
        !sameTexts(unit.source, shownSource(source)) ||
        (component.intermediate !== '' && heldBack === isReady(component, source))
      );
    });
    const late = await spreadTo(deps, component, behind, sources, author);
    if (late) sources.clear();
  }
  throw new Error(
    `source strings of component ${component.id} are edited too often to be brought to their translations`,
  );
}

/** @returns whether somebody wrote one of the units meanwhile */
async function spreadTo(
  deps: SpreadSourceTextsDeps,
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
    const judge = deps.judges.for(component, translation.language);
    const planned = some.map((unit): UnitUpdate => {
      const sourceUnit = sources.get(unit.sourceUnit)!;
      const { contentHash, words, chars, extraFlags } = sourceUnit;
      const source = shownSource(sourceUnit);
      const readonly = judge.isReadonly(unit.flags, extraFlags) || !isReady(component, sourceUnit);
      const followed = followSource(unit, source, readonly);
      const { target } = unit;
      // In the file the text would still be what it was before.
      const waiting =
        followed.state !== undefined && keepsStates(component.fileFormat)
          ? stateForFile(
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
      const patch = { ...moved, checks: judge.checks({ ...unit, ...moved, sourceExtraFlags: extraFlags }) };
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
