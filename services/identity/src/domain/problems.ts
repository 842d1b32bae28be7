import { hasProblem } from '@parlance/errors';

/** A problem of one field, in the form of the public API. */
export interface Problem {
  attr: string | null;
  code: string;
  detail: string;
}

/** Collects all problems of a request. */
export class Problems {
  readonly found: Problem[];

  /** @param known problems found by the caller; these fields are not validated again */
  constructor(private readonly known: readonly Problem[] = []) {
    this.found = [...known];
  }

  add(attr: string | null, code: string, detail: string): void {
    if (!hasProblem(this.known, attr)) this.found.push({ attr, code, detail });
  }

  /** Whether a field has no problems. */
  clean(attr: string): boolean {
    return !hasProblem(this.found, attr);
  }
}

const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;

/**
 * Validates a displayed line of text: not blank, no control characters, no outer spaces, a maximum length.
 * An absent value is `required`.
 */
export function checkLine(problems: Problems, attr: string, value: string | undefined, maxLength: number): void {
  if (value === undefined) problems.add(attr, 'required', 'This field is required.');
  else if (value === '') problems.add(attr, 'blank', 'This field may not be blank.');
  else if (control.test(value)) problems.add(attr, 'invalid', 'Control characters are not allowed.');
  else if (value.trim() !== value) problems.add(attr, 'invalid', 'Spaces at the beginning or end are not allowed.');
  else checkLength(problems, attr, value, maxLength);
}

export function checkLength(problems: Problems, attr: string, value: string, maxLength: number): void {
  if ([...value].length > maxLength) {
    problems.add(attr, 'max_length', `This field may have at most ${maxLength} characters.`);
  }
}

/** Checks that a number is one of the allowed ones. */
export function checkChoice(
  problems: Problems,
  attr: string,
  value: number | undefined,
  choices: readonly number[],
): void {
  if (value === undefined) problems.add(attr, 'required', 'This field is required.');
  else if (!choices.includes(value)) {
    problems.add(attr, 'invalid_choice', `${value} is not one of the choices ${choices.join(', ')}.`);
  }
}

/** Checks a point in time: milliseconds since the epoch; 0 stands for none. */
function checkTime(problems: Problems, attr: string, timeMs: number): void {
  if (!Number.isSafeInteger(timeMs) || timeMs < 0 || timeMs > 8.64e15) {
    problems.add(attr, 'invalid', 'This is not a date.');
  }
}

/** Checks an end of validity: a time in the future; 0 stands for none. */
export function checkExpiry(problems: Problems, attr: string, expiresMs: number, nowMs: number): void {
  checkTime(problems, attr, expiresMs);
  if (expiresMs !== 0 && problems.clean(attr) && expiresMs <= nowMs)
    problems.add(attr, 'min_value', 'The date must lie in the future.');
}
