import { EngineError } from '../../domain/machinery/engine';

/** A field of an object in an answer; undefined where there is none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** @throws EngineError */
export function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new EngineError('The answer has another form than documented.');
  return value;
}

/** @throws EngineError */
export function strings(values: readonly unknown[]): string[] {
  return values.map((value) => {
    if (typeof value !== 'string') throw new EngineError('The answer has another form than documented.');
    return value;
  });
}

/** An address that ends with a slash. */
export function base(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
