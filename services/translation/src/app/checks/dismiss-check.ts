import { can, type Caller } from '@parlance/access';
import { findCheck } from '@parlance/checks';
import { throwIfInvalid, ServiceError, type FieldProblem } from '@parlance/errors';
import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import { accessTarget } from '../../domain/component';
import type { Clock, UnitReader, UnitWriter } from '../../domain/ports';
import { timeAfter, type Unit } from '../../domain/unit';
import { authorOf } from '../author';
import { deniedOn } from '../contributors';
import { changeOf } from '../history';
import { updateSerially, type SerialUpdateDeps } from '../edit/contention';
import { applySourceFlags, type ApplySourceFlagsDeps } from '../effects/apply-source-flags';
import { writeUnit, writtenUnit } from '../edit/write-units';
import { withFlag, withoutFlag } from './ignore-flags';
import { applyFlags } from './rerun-checks';
import { checksOf, dismissalOf, loadPair, type LoadedPair, type UnitCheck, type UnitChecksDeps } from './unit-checks';

export interface DismissCheckDeps extends UnitChecksDeps, ApplySourceFlagsDeps, Clock {
  unitMutex: SerialUpdateDeps['unitMutex'];
  units: UnitReader & UnitWriter;
  glossary: UnitChecksDeps['glossary'] & ApplySourceFlagsDeps['glossary'];
}

export interface DismissCheck {
  unit: number;
  check: string;
  /** See `DismissalScope`. */
  scope: string;
  /** Undoes a dismissal. */
  undo: boolean;
  /** Problems found while the request was parsed. */
  problems: readonly FieldProblem[];
}

/**
 * Dismisses a failing check, or undoes that, with a history entry. Idempotent. A dismissal for a single string stores the id of the check
 * in the unit. A dismissal for all translations, later languages included, adds the ignore flag to the source string.
 * @returns the checks of the unit afterwards
 * @throws NOT_FOUND, PERMISSION_DENIED, LOCKED, INVALID naming check or scope
 */
export async function dismissCheck(
  deps: DismissCheckDeps,
  caller: Caller,
  request: DismissCheck,
  generation: string,
): Promise<UnitCheck[]> {
  const pair = await loadPair(deps, caller, request.unit, generation);
  const { component, unit } = pair;
  const forAll = request.scope === 'source';
  // Flags of the source string affect every language.
  const language = forAll ? component.sourceLanguage.code : unit.language;
  if (!can(caller, 'unit.check', accessTarget(component, language))) throw deniedOn(caller, component);
  if (component.locked) throw new ServiceError('LOCKED');
  validate(request, pair);
  if (!request.undo && component.enforcedChecks.includes(request.check))
    throw new ServiceError('PERMISSION_DENIED', { message: 'This check is enforced by the component.' });
  if (forAll) await dismissForAll(deps, caller, request, pair);
  else await dismissForOne(deps, caller, request, pair);
  if (request.undo && findCheck(request.check)?.context !== 'none') await rerunContextChecks(deps, pair);
  return checksOf(deps, await loadPair(deps, caller, request.unit, generation));
}

function validate({ check: id, scope, undo, problems: known }: DismissCheck, pair: LoadedPair): void {
  const problems: FieldProblem[] = [];
  const { unit } = pair;
  const check = findCheck(id);
  if (id === '') problems.push({ attr: 'check', code: 'required', detail: 'This field is required.' });
  else if (!check)
    problems.push({ attr: 'check', code: 'invalid_choice', detail: `"${id.slice(0, 40)}" is not the id of a check.` });
  else if (!undo && !unit.checks.includes(id) && !dismissalOf(pair, id))
    problems.push({ attr: 'check', code: 'invalid', detail: `The check "${id}" does not fail for this string.` });
  if (scope !== 'string' && scope !== 'source')
    problems.push({
      attr: 'scope',
      code: 'invalid_choice',
      detail: `"${scope.slice(0, 40)}" is not string or source.`,
    });
  else if (scope === 'source' && unit.isSource)
    problems.push({ attr: 'scope', code: 'invalid', detail: 'This is the source string: the scope is "string".' });
  throwIfInvalid(known, problems);
}

async function dismissForOne(
  deps: DismissCheckDeps,
  caller: Caller,
  { check, undo }: DismissCheck,
  { unit: { id }, translation, component, source }: LoadedPair,
): Promise<void> {
  const evaluator = deps.evaluators.for(component, translation.language);
  const author = authorOf(caller);
  const done = await updateSerially(deps, id, async (unit) => {
    if (unit.dismissedChecks.includes(check) !== undo) return true;
    const now = deps.now();
    const dismissedChecks = undo
      ? unit.dismissedChecks.filter((other) => other !== check)
      : [...unit.dismissedChecks, check];
    const sourceExtraFlags = unit.isSource ? unit.extraFlags : source.extraFlags;
    const checks = evaluator.checks({ ...unit, dismissedChecks, sourceExtraFlags });
    const action = undo ? Action.checkRestored : Action.checkDismissed;
    const changes = [changeOf(unit, author, now, action, check, '', { check })];
    const patch = { dismissedChecks, checks, updated: timeAfter(unit, now) };
    return (await writeUnit(deps, { unit, patch, changes }, { author: null, time: now })) ? true : LOST_RACE;
  });
  if (!done) throw new ServiceError('NOT_FOUND');
}

async function dismissForAll(
  deps: DismissCheckDeps,
  caller: Caller,
  { check, undo }: DismissCheck,
  { component, source }: LoadedPair,
): Promise<void> {
  const flag = findCheck(check)!.ignoreFlag;
  const evaluator = deps.evaluators.for(component, component.sourceLanguage);
  const author = authorOf(caller);
  const saved = await updateSerially(deps, source.id, async (unit): Promise<Unit | typeof LOST_RACE> => {
    const extraFlags = undo ? withoutFlag(unit.extraFlags, flag) : withFlag(unit.extraFlags, flag);
    if (extraFlags === unit.extraFlags) return unit;
    const now = deps.now();
    const patch = {
      extraFlags,
      ...applyFlags(evaluator, { ...unit, extraFlags }, extraFlags, true),
      updated: timeAfter(unit, now),
    };
    const details = { check };
    const changes = [changeOf(unit, author, now, Action.extraFlagsChanged, extraFlags, unit.extraFlags, details)];
    if (!(await writeUnit(deps, { unit, patch, changes }, { author, time: now }))) return LOST_RACE;
    return writtenUnit({ unit, patch });
  });
  if (!saved) throw new ServiceError('NOT_FOUND');
  // Also after a request without effect: it completes one that was interrupted.
  await applySourceFlags(deps, component, saved);
}

/** Checks that compare strings are decided by the background checks of the translations. */
async function rerunContextChecks(deps: DismissCheckDeps, { unit, source }: LoadedPair): Promise<void> {
  const translations = unit.isSource ? (await deps.units.ofSourceUnit(source)).filter((u) => !u.isSource) : [unit];
  const touched = translations.slice(0, 1).map(({ id, target }) => ({
    unit: id,
    touched: { texts: [target], failing: true },
  }));
  await deps.contextChecks.run(touched);
}
