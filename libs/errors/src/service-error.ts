import { reasons, type Reason, type ReasonInfo } from './reasons';

/** One thing that is wrong with one field of a request. */
export interface FieldProblem {
  /** Field name as the public API spells it, nested with dots (`source_language.code`, `target.0`); null: the whole object. */
  attr: string | null;
  /** Short code of the public API: required, invalid, invalid_choice, blank, unique, does_not_exist, max_value ... */
  code: string;
  /** A sentence for people. */
  detail: string;
}

/** The one error that services throw on purpose. Anything else that is thrown is a defect and reaches callers as INTERNAL. */
export class ServiceError extends Error {
  readonly reason: Reason;
  readonly problems: readonly FieldProblem[];

  constructor(reason: Reason, options: { message?: string; problems?: readonly FieldProblem[]; cause?: unknown } = {}) {
    super(options.message ?? options.problems?.[0]?.detail ?? reasons[reason].message, { cause: options.cause });
    this.name = 'ServiceError';
    this.reason = reason;
    this.problems = options.problems ?? [];
  }

  get info(): ReasonInfo {
    return reasons[this.reason];
  }
}

/** INVALID with every problem that was found; give them all at once. */
export function fieldErrors(problems: readonly FieldProblem[]): ServiceError {
  return new ServiceError('INVALID', { problems });
}

/** Whether two field names are one, or one lies in the other (`groups` and `groups.0`). */
function overlap(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && (a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`));
}

/** Whether something is known to be wrong with a field, or with a part of it. */
export function isKnown(known: readonly FieldProblem[], attr: string | null): boolean {
  return known.some((problem) => overlap(problem.attr, attr));
}

/** What was known to be wrong, and what was found since with other fields: of a field the first problem is told. */
export function joinProblems(known: readonly FieldProblem[], found: readonly FieldProblem[]): FieldProblem[] {
  return [...known, ...found.filter(({ attr }) => !isKnown(known, attr))];
}

export function isServiceError(error: unknown, reason?: Reason): error is ServiceError {
  return error instanceof ServiceError && (reason === undefined || error.reason === reason);
}

/**
 * To be called once, before anything is carried out.
 * @throws INVALID with what was known to be wrong and what was found since, when there is anything
 */
export function throwIfInvalid(known: readonly FieldProblem[], found: readonly FieldProblem[]): void {
  const problems = joinProblems(known, found);
  if (problems.length > 0) throw fieldErrors(problems);
}

/**
 * Runs a check; the fields that it finds wrong are put among the problems.
 * @returns undefined when something is wrong @throws whatever else it throws
 */
export async function noting<T>(problems: FieldProblem[], check: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    if (!isServiceError(error, 'INVALID') || error.problems.length === 0) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}
