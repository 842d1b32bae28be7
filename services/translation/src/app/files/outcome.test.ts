import { fieldErrors, ServiceError } from '@parlance/errors';
import { FormatError } from '@parlance/formats';
import { outcomeOf, valueOf } from './outcome';

/** Runs a task as a worker thread does: its outcome is cloned on the way back. */
const run = <T>(task: () => T): T => valueOf(structuredClone(outcomeOf(task)));
const errorOf = (error: Error): unknown => {
  try {
    return run(() => {
      throw error;
    });
  } catch (thrown) {
    return thrown;
  }
};

describe('the outcome of a task in another thread', () => {
  it('the outcome of a task in another thread is its result, also an undefined one', () => {
    expect(run(() => ({ strings: 5 }))).toEqual({ strings: 5 });
    expect(run(() => undefined)).toBeUndefined();
  });

  it('the outcome of a task in another thread is the error of the format, with its position', () => {
    const found = errorOf(new FormatError('syntax', 'The quote is missing.', 4, 7));
    expect(found).toBeInstanceOf(FormatError);
    expect(found).toMatchObject({ code: 'syntax', message: 'The quote is missing.', line: 4, column: 7 });
  });

  it('the outcome of a task in another thread is the error of the service, with all invalid fields', () => {
    const problems = [
      { attr: 'file', code: 'invalid', detail: 'No.' },
      { attr: 'method', code: 'required', detail: 'No.' },
    ];
    const found = errorOf(fieldErrors(problems));
    expect(found).toBeInstanceOf(ServiceError);
    expect(found).toMatchObject({ reason: 'INVALID', problems });
    expect(errorOf(new ServiceError('LOCKED', { message: 'Locked.' }))).toMatchObject({
      reason: 'LOCKED',
      message: 'Locked.',
    });
  });

  it('a defect has no outcome and ends the task in the other thread', () => {
    expect(() =>
      outcomeOf(() => {
        throw new TypeError('defect');
      }),
    ).toThrow(TypeError);
  });
});
