import type { UnitPatch } from '../domain/ports';
import type { Translation } from '../domain/translation';
import { sameTexts, State, type Unit } from '../domain/unit';
import type { Parts } from './parts';
import type { Judge } from './quality';
import { writeUnits, type PlannedWrite } from './write-units';

/** Rounds of deciding again after strings were edited at the same moment. */
const MAX_ROUNDS = 20;
/** Strings that are written together: edits come through in between. */
const BATCH = 500;

/** What flags make of a unit: read-only state, checks, priority. Empty when it is so already. */
export function judgedAnew(judge: Judge, unit: Unit, sourceExtraFlags: string): UnitPatch {
  const patch: UnitPatch = {};
  let { state } = unit;
  const readonly = !unit.isSource && judge.isReadonly(unit.flags, sourceExtraFlags);
  if (readonly && state !== State.readonly) {
    patch.formerState = state;
    patch.state = state = State.readonly;
  } else if (!unit.isSource && !readonly && state === State.readonly && unit.formerState !== undefined) {
    patch.state = state = unit.formerState;
    patch.formerState = undefined;
  }
  const checks = judge.checks({ ...unit, state, sourceExtraFlags });
  if (!sameTexts(checks, unit.checks)) patch.checks = checks;
  const priority = judge.priority(unit.flags, sourceExtraFlags);
  if (priority !== unit.priority) patch.priority = priority;
  return patch;
}

/** Lets changed flags of a component or its project take effect on the strings of a translation. Repeatable. */
export async function rejudgeTranslation(parts: Parts, translation: Translation): Promise<void> {
  const component = await parts.catalog.component(translation.component, '');
  if (!component) return;
  const judge = parts.judge(component, translation.language);
  let todo = await parts.units.ofTranslation(translation.id);
  for (let round = 0; todo.length > 0 && round < MAX_ROUNDS; round++) {
    const late: number[] = [];
    let planned: PlannedWrite[] = [];
    const write = async () => {
      const result = await writeUnits(parts, translation.id, planned, { author: null, time: parts.now() });
      late.push(...result.late.map(({ unit }) => unit.id));
      planned = [];
    };
    for (const unit of todo) {
      const patch = judgedAnew(judge, unit, unit.isSource ? unit.extraFlags : await parts.sourceFlags(unit));
      if (Object.keys(patch).length > 0) planned.push({ unit, patch, changes: [] });
      if (planned.length === BATCH) await write();
    }
    await write();
    todo = await parts.units.many(late);
  }
}
