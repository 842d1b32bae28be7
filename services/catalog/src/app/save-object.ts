import { fieldErrors, type FieldProblem } from '@parlance/errors';
import { LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import { TakenError } from '../domain/ports';

export { LOST_RACE };

const details: Record<string, string> = {
  name: 'This name is taken.',
  slug: 'This slug is taken.',
  code: 'This code is taken.',
};

/** The problem of a value that violates a unique index. */
export function takenProblem(attr: string): FieldProblem {
  return { attr, code: 'unique', detail: details[attr] ?? 'This value is taken.' };
}

/** Runs a write and turns its TakenError into a field error. */
export async function reportTaken<T>(
  write: () => Promise<T>,
  problemOf: (field: string) => FieldProblem = takenProblem,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof TakenError) throw fieldErrors([problemOf(error.field)]);
    throw error;
  }
}

/**
 * Updates an object under optimistic concurrency.
 * @param attempt reads, validates and writes; returns LOST_RACE when the write met another version
 * @throws CONFLICT when every attempt lost its race, INVALID when a unique value is taken
 */
export function updateObject<T>(attempt: () => Promise<T | typeof LOST_RACE>): Promise<T> {
  return optimisticUpdate(() => reportTaken(attempt));
}
