import { isServiceError, type FieldProblem } from '@parlance/errors';

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Reason of a failing call; OK if it succeeds. @throws Error if it fails with another error */
export async function reasonOf(call: Promise<unknown>): Promise<string> {
  const error = await failureOf(call);
  if (error === undefined) return 'OK';
  if (!isServiceError(error)) throw new Error(`expected a rejection, got ${String(error)}`);
  return error.reason;
}

/** Validation errors of a failing call. @throws Error if it has none */
export async function problemsOf(call: Promise<unknown>): Promise<FieldProblem[]> {
  const error = await failureOf(call);
  if (!isServiceError(error, 'INVALID')) throw new Error(`expected field errors, got ${String(error)}`);
  return [...error.problems];
}

/** Field and code of each validation error of a failing call, as `field:code`. @throws Error if it has none */
export async function fieldsOf(call: Promise<unknown>): Promise<string[]> {
  return (await problemsOf(call)).map(({ attr, code }) => `${attr}:${code}`);
}
