import { reasons, type Reason, type ReasonInfo } from './reasons';

/** A problem with one field of a request. */
export interface FieldProblem {
  /** Field name as the public API spells it, nested with dots (`source_language.code`, `target.0`); null: the whole object. */
  attr: string | null;
  /** Short code of the public API: required, invalid, invalid_choice, blank, unique, does_not_exist, max_value ... */
  code: string;
  /** Message for people. */
  detail: string;
}

/** The expected error of a service. Any other error is a defect and reaches callers as INTERNAL. */
export class ServiceError extends Error {
  readonly reason: Reason;
  readonly problems: readonly FieldProblem[];
  /** When the request may be repeated, in seconds; absent: unknown. */
  readonly retryAfterSeconds?: number;

  constructor(
    reason: Reason,
    options: {
      message?: string;
      problems?: readonly FieldProblem[];
      retryAfterSeconds?: number;
      cause?: unknown;
    } = {},
  ) {
    super(options.message ?? options.problems?.[0]?.detail ?? reasons[reason].message, { cause: options.cause });
    this.name = 'ServiceError';
    this.reason = reason;
    this.problems = options.problems ?? [];
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get info(): ReasonInfo {
    return reasons[this.reason];
  }
}

/** INVALID with all problems of the request. */
export function fieldErrors(problems: readonly FieldProblem[]): ServiceError {
  return new ServiceError('INVALID', { problems });
}

/** Whether two field names are equal or one contains the other (`groups` and `groups.0`). */
function overlap(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && (a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`));
}

/** Whether a field, or a nested field of it, has a problem. */
export function hasProblem(known: readonly FieldProblem[], attr: string | null): boolean {
  return known.some((problem) => overlap(problem.attr, attr));
}

/** Joins two lists of problems. The first problem of a field wins. */
export function joinProblems(known: readonly FieldProblem[], found: readonly FieldProblem[]): FieldProblem[] {
  return [...known, ...found.filter(({ attr }) => !hasProblem(known, attr))];
}

export function isServiceError(error: unknown, reason?: Reason): error is ServiceError {
  return error instanceof ServiceError && (reason === undefined || error.reason === reason);
}

/**
 * Throws the joined problems, if any. Call it once, before the first side effect.
 * @throws INVALID
 */
export function throwIfInvalid(known: readonly FieldProblem[], found: readonly FieldProblem[]): void {
  const problems = joinProblems(known, found);
  if (problems.length > 0) throw fieldErrors(problems);
}

/**
 * Runs a check and adds its field errors to the problems.
 * @returns undefined when the check failed @throws errors other than INVALID with problems
 */
export async function collectProblems<T>(
  problems: FieldProblem[],
  check: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    if (!isServiceError(error, 'INVALID') || error.problems.length === 0) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}
