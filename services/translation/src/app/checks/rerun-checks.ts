import { TimeSlice } from '@parlance/workload';
import type { Component } from '../../domain/component';
import type { Catalog, Clock, UnitPatch, UnitReader, UnitWriter } from '../../domain/ports';
import { isReady } from '../../domain/source-text';
import type { Translation } from '../../domain/translation';
import { sameTexts, State, type Unit } from '../../domain/unit';
import { inTranslation } from '../../domain/unit-query';
import { storedSources } from './stored-sources';
import type { UnitEvaluator } from './unit-evaluator';
import { writeUnits, type UnitUpdate, type WriteUnitsDeps } from '../edit/write-units';
import { unitBatches, type BatchReader } from '../unit-batches';
import type { SharedCache } from '../caches/cache-generation';
import type { UnitEvaluators } from '../caches/interfaces';

export interface RerunChecksDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter & BatchReader['units'];
  catalog: Catalog;
  evaluators: UnitEvaluators;
  projectFonts: SharedCache;
}

/** Attempts for strings that were edited concurrently. */
const MAX_ROUNDS = 20;

/**
 * Applies flags to a unit: read-only state, checks, priority.
 * @param ready whether the source string may be translated; ignored for source units
 * @returns an empty patch when nothing changes
 */
export function applyFlags(evaluator: UnitEvaluator, unit: Unit, sourceExtraFlags: string, ready: boolean): UnitPatch {
  const patch: UnitPatch = {};
  let { state } = unit;
  const readonly = (!unit.isSource && !ready) || evaluator.isReadonly(unit.flags, sourceExtraFlags);
  if (readonly && state !== State.readonly) {
    patch.formerState = state;
    patch.state = state = State.readonly;
  } else if (!readonly && state === State.readonly && unit.formerState !== undefined) {
    patch.state = state = unit.formerState;
    patch.formerState = undefined;
  }
  const checks = evaluator.checks({ ...unit, state, sourceExtraFlags });
  if (!sameTexts(checks, unit.checks)) patch.checks = checks;
  const priority = evaluator.priority(unit.flags, sourceExtraFlags);
  if (priority !== unit.priority) patch.priority = priority;
  return patch;
}

/** Reruns the checks of a translation after flags of its component, or flags or fonts of its project changed. Idempotent. */
export async function rerunChecks(deps: RerunChecksDeps, translation: Translation): Promise<void> {
  // Another replica may have stored the fonts, and this work has no caller whose generation tells.
  deps.projectFonts.clear();
  const component = await deps.catalog.component(translation.component, '');
  if (!component) return;
  const evaluator = deps.evaluators.for(component, translation.language);
  for await (const batch of unitBatches(deps, inTranslation(translation.id))) {
    let todo = batch;
    for (let round = 0; todo.length > 0 && round < MAX_ROUNDS; round++) {
      const planned = await planChecks(deps, component, evaluator, todo);
      const { late } = await writeUnits(deps, translation.id, planned, { author: null, time: deps.now() });
      todo = await deps.units.many(late.map(({ unit }) => unit.id));
    }
  }
}

async function planChecks(
  deps: RerunChecksDeps,
  component: Component,
  evaluator: UnitEvaluator,
  units: readonly Unit[],
): Promise<UnitUpdate[]> {
  const planned: UnitUpdate[] = [];
  const sources = await storedSources(
    deps,
    units.filter((unit) => !unit.isSource),
  );
  const slice = new TimeSlice();
  for (const unit of units) {
    if (slice.isOver()) await slice.next();
    const source = unit.isSource ? unit : sources.get(unit.sourceUnit);
    const patch = applyFlags(evaluator, unit, source?.extraFlags ?? '', !source || isReady(component, source));
    if (Object.keys(patch).length > 0) planned.push({ unit, patch, changes: [] });
  }
  return planned;
}
