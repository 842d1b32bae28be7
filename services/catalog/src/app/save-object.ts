import { fieldErrors, ServiceError, type FieldProblem } from '@parlance/errors';
import { pauseAfter } from '@parlance/store-kit';
import { TakenError } from '../domain/ports';

/** How often a write that lost a race is tried again: enough for dozens who change one object at the same moment. */
const MAX_ATTEMPTS = 40;

const texts: Record<string, string> = {
  name: 'This name is taken.',
  slug: 'This slug is taken.',
  code: 'This code is taken.',
};

/** The problem of a value that must be unique and is taken. */
export function taken(attr: string): FieldProblem {
  return { attr, code: 'unique', detail: texts[attr] ?? 'This value is taken.' };
}

/** Turns a refusal by the store into a field error. */
export async function uniquely<T>(
  write: () => Promise<T>,
  rename: (field: string) => FieldProblem = taken,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof TakenError) throw fieldErrors([rename(error.field)]);
    throw error;
  }
}

/**
 * Reads, changes and writes until nobody else wrote in between.
 * @param attempt answers undefined when the write met another version
 * @throws CONFLICT when it never works out
 */
export async function retried<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let i = 1; i <= MAX_ATTEMPTS; i++) {
    const result = await uniquely(attempt);
    if (result !== undefined) return result;
    await pauseAfter(i);
  }
  throw new ServiceError('CONFLICT');
}
