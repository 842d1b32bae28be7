import {
  readRequest,
  toMessage,
  type ReadRequest,
  type RequestMode,
  type RequestMessage,
  type RequestSchema,
  type RequestValues,
} from '@parlance/contracts';
import { fieldErrors, type FieldProblem } from '@parlance/errors';
import { ServiceError } from '@parlance/errors';
import type { z } from 'zod';
import type { Call } from '../routing/call';

/** Reads the fields of a JSON or form body and collects their problems. */
export async function readValues<S extends RequestSchema>(
  call: Call,
  schema: S,
  mode: RequestMode,
): Promise<ReadRequest<S>> {
  const { values, form } = await call.body();
  return readRequest(schema, values, mode, { form });
}

/** Valid fields of a body in the form of the gRPC message; problems of the others are added to the call. */
export async function readFields<S extends RequestSchema>(
  call: Call,
  schema: S,
  mode: RequestMode,
): Promise<RequestMessage<RequestValues<S>>> {
  const { values, problems } = await readValues(call, schema, mode);
  call.problems.push(...problems);
  return toMessage(schema, values);
}

/** Parses query parameters. @throws INVALID */
export function readQuery<S extends RequestSchema>(call: Call, schema: S): z.output<S> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (call.query.has(name) ? [[name, call.query.get(name)]] : [])),
  );
  return checkedValues(schema, given);
}

/** Valid values of given fields. @throws INVALID */
export function checkedValues<S extends RequestSchema>(schema: S, given: Record<string, unknown>): z.output<S> {
  const { values, problems } = readRequest(schema, given, 'create');
  if (problems.length > 0) throw fieldErrors(problems);
  return values as z.output<S>;
}

/** An id in a body; undefined if it is missing or invalid. */
export function idOf(value: unknown): number | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** A required id of the body. @throws INVALID */
export async function requireId(call: Call, name: string): Promise<number> {
  const value = (await call.body()).values[name];
  if (value === undefined || value === null || value === '') throw fieldErrors([required(name)]);
  const id = idOf(value);
  if (id === undefined)
    throw fieldErrors([{ attr: name, code: 'invalid', detail: 'The id of an object is required.' }]);
  return id;
}

/** A required text of the body. @throws INVALID */
export async function requireText(call: Call, name: string): Promise<string> {
  const value = (await call.body()).values[name];
  if (value === undefined || value === null || value === '') throw fieldErrors([required(name)]);
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw fieldErrors([{ attr: name, code: 'invalid', detail: 'A text is required.' }]);
}

export function required(name: string): FieldProblem {
  return { attr: name, code: 'required', detail: 'This field is required.' };
}

const ADDRESS = /^(?:https?:\/\/[^/?#]+)?(?:\/[^?#]*)?\/api\/([a-z-]+)\/([^/?#]+)\/?$/;

/** The problem of a value that is not the address of an existing object, with the error codes of the API. */
export function relationProblem(
  attr: string,
  value: unknown,
  resource: string,
  object: string,
): FieldProblem & { attr: string } {
  const address = typeof value === 'string' ? value.trim() : '';
  const other = ADDRESS.test(address) ? 'incorrect_match' : 'no_match';
  const code = addressed(value, resource) === undefined ? other : 'does_not_exist';
  return { attr, code, detail: `This is not the address of a ${object}.` };
}

/** The path after `api/<resource>/` in an address of this API; undefined for other values. */
export function addressed(value: unknown, resource: string): string | undefined {
  if (typeof value !== 'string' || value.length > 2000) return undefined;
  const found = ADDRESS.exec(value.trim());
  if (!found || found[1] !== resource) return undefined;
  try {
    return decodeURIComponent(found[2]!);
  } catch {
    return undefined;
  }
}

/** A numeric path parameter. @throws NOT_FOUND */
export function idParam(call: Call, name: string): number {
  const id = idOf(call.params[name]);
  if (id === undefined) throw new ServiceError('NOT_FOUND');
  return id;
}

/** Memoizes a lookup for each request, so that the permission check and the handler share it. */
export function perCall<T>(load: (call: Call) => Promise<T>): (call: Call) => Promise<T> {
  const kept = new WeakMap<Call, Promise<T>>();
  return (call) => {
    let found = kept.get(call);
    if (!found) kept.set(call, (found = load(call)));
    return found;
  };
}
