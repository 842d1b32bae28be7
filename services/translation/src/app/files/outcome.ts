import { isServiceError, ServiceError, type FieldProblem } from '@parlance/errors';
import { FormatError, type FormatErrorCode } from '@parlance/formats';

/** Result or error of a task, serializable: structured cloning loses the class of errors. */
export type Outcome<T> =
  | { value: T }
  | { format: { code: FormatErrorCode; message: string; line: number; column: number } }
  | { service: { reason: ServiceError['reason']; message: string; problems: readonly FieldProblem[] } };

/** Runs a task and captures its result or error. */
export function outcomeOf<T>(task: () => T): Outcome<T> {
  try {
    return { value: task() };
  } catch (error) {
    if (error instanceof FormatError) {
      const { code, message, line, column } = error;
      return { format: { code, message, line, column } };
    }
    if (isServiceError(error)) {
      const { reason, message, problems } = error;
      return { service: { reason, message, problems } };
    }
    throw error;
  }
}

/** Returns the result or throws the error of the task. @throws FormatError, ServiceError */
export function valueOf<T>(outcome: Outcome<T>): T {
  if ('value' in outcome) return outcome.value;
  if ('service' in outcome) {
    const { reason, message, problems } = outcome.service;
    throw new ServiceError(reason, { message, problems });
  }
  const { code, message, line, column } = outcome.format;
  throw new FormatError(code, message, line, column);
}
