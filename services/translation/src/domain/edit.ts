import { hasProblem, throwIfInvalid, ServiceError, type FieldProblem } from '@parlance/errors';
import { Action } from './change';
import { isBlank, State } from './unit';

/** Requested text and state; absent: unchanged. */
export interface EditRequest {
  target?: string[];
  state?: number;
}

export interface EditRules {
  /** Number of texts of the unit's target. */
  forms: number;
  /** The review workflow is on for this unit. */
  review: boolean;
  /** The caller holds unit.review. */
  mayReview: boolean;
}

const settable = new Set<number>([State.empty, State.fuzzy, State.translated, State.approved]);

/**
 * Whether a form is missing in texts that have to be complete. Only blank texts without a state clear the string.
 */
function someBlank(target: readonly string[], wanted: number | undefined): boolean {
  return target.includes('') && !(wanted === undefined && isBlank(target));
}

/**
 * Texts and state after an edit.
 * @param known problems found before
 * @throws ServiceError INVALID with the known problems and those of target and state; PERMISSION_DENIED for units that cannot be edited
 */
export function applyEdit(
  unit: { target: string[]; state: number },
  request: EditRequest,
  rules: EditRules,
  known: readonly FieldProblem[] = [],
): { target: string[]; state: number } {
  if (unit.state === State.readonly)
    throw new ServiceError('PERMISSION_DENIED', { message: 'This string is read-only.' });
  if (unit.state === State.approved && rules.review && !rules.mayReview) {
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'This string is approved. Changing it requires the permission unit.review.',
    });
  }
  const target = request.target ?? unit.target;
  throwIfInvalid(known, editProblems(request, target, rules, !hasProblem(known, 'target')));
  return { target, state: isBlank(target) ? State.empty : (request.state ?? stateAfter(unit.state)) };
}

/** State after an edit with a text and without a state. */
function stateAfter(state: number): number {
  return state === State.empty || state === State.fuzzy ? State.translated : state;
}

/**
 * Problems of the texts and the state of an edit.
 * @param judged the texts are valid; invalid texts hide problems of the state
 */
function editProblems(
  request: EditRequest,
  target: readonly string[],
  rules: EditRules,
  judged: boolean,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (request.target && request.target.length !== rules.forms) {
    problems.push({
      attr: 'target',
      code: 'invalid',
      detail: `This string has ${rules.forms} plural form${rules.forms === 1 ? '' : 's'}, ${request.target.length} given.`,
    });
  }
  const { state: wanted } = request;
  if (wanted === State.readonly) {
    problems.push({
      attr: 'state',
      code: 'invalid',
      detail: 'The state read-only cannot be set. Use the flag read-only.',
    });
  } else if (wanted !== undefined && !settable.has(wanted)) {
    problems.push({
      attr: 'state',
      code: 'invalid_choice',
      detail: `"${wanted}" is not a valid state. Use 0, 10, 20 or 30.`,
    });
  } else if (wanted === State.approved && !rules.review) {
    problems.push({
      attr: 'state',
      code: 'invalid',
      detail: 'Approving requires the review workflow, which is disabled.',
    });
  } else if (wanted === State.approved && !rules.mayReview) {
    problems.push({ attr: 'state', code: 'invalid', detail: 'Approving requires the permission unit.review.' });
  } else if (judged && wanted === State.empty && !isBlank(target)) {
    problems.push({ attr: 'state', code: 'invalid', detail: 'A string with a text cannot be untranslated.' });
  } else if (
    judged &&
    request.target &&
    target.length === rules.forms &&
    wanted !== State.empty &&
    someBlank(target, wanted)
  ) {
    target.forEach((text, form) => {
      if (text === '') problems.push({ attr: `target.${form}`, code: 'blank', detail: 'This text must not be empty.' });
    });
  } else if (judged && wanted !== undefined && wanted > State.empty && isBlank(target)) {
    problems.push({ attr: 'state', code: 'invalid', detail: 'A string without a text can only be untranslated.' });
  }
  return problems;
}

/** Action of the history entry of an edit. */
export function actionOfEdit(oldState: number, newState: number): number {
  if (newState === State.fuzzy) return Action.markedForEdit;
  if (newState === State.approved) return Action.approved;
  return oldState === State.empty ? Action.firstTarget : Action.targetChanged;
}
