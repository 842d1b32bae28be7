import { fieldErrors, ServiceError } from '@parlance/errors';
import type { Problems } from '../domain/problems';
import { TakenError } from '../domain/ports';

/** @throws INVALID with all problems */
export function throwIfInvalid(problems: Problems): void {
  if (problems.found.length > 0) throw fieldErrors(problems.found);
}

/** The error for a single invalid field. */
export function fieldError(attr: string | null, code: string, detail: string): ServiceError {
  return fieldErrors([{ attr, code, detail }]);
}

const TAKEN_MESSAGES: Partial<Record<TakenError['field'], string>> = {
  username: 'This username is already taken.',
  email: 'This mail address is already used by another user.',
};

/** Runs a write and converts a taken unique value to a field error. */
export async function reportTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof TakenError && TAKEN_MESSAGES[error.field])
      throw fieldError(error.field, 'unique', TAKEN_MESSAGES[error.field]!);
    throw error;
  }
}

export function notFound(what: string): ServiceError {
  return new ServiceError('NOT_FOUND', { message: `${what} was not found.` });
}
