import { EngineError } from '../../domain/machinery/engine';

/** A field of an object; undefined if it is missing or the value is not an object. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const UNEXPECTED = 'The response does not have the documented structure.';

/** @throws EngineError */
export function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new EngineError(UNEXPECTED);
  return value;
}

/** @throws EngineError */
export function strings(values: readonly unknown[]): string[] {
  return values.map((value) => {
    if (typeof value !== 'string') throw new EngineError(UNEXPECTED);
    return value;
  });
}

/** Appends a missing slash. */
export function base(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
