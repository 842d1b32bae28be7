import { AsyncLocalStorage } from 'node:async_hooks';
import { wrapMethods } from './collections';

/** Default time limit of a query in milliseconds. */
export const DEFAULT_QUERY_MS = 5_000;
/** Time limit of maintenance and of reads of whole translations, in milliseconds. */
export const BULK_QUERY_MS = 600_000;

/** Limits of all store queries of an operation. */
export interface QueryLimits {
  maxTimeMs?: number;
  /** If aborted, running queries are killed in the store and fail with the reason of the signal. */
  signal?: AbortSignal;
}

const limits = new AsyncLocalStorage<QueryLimits>();

/** Runs work with its own limits for store queries. Outer limits still apply. */
export const withQueryLimits = <T>(own: QueryLimits, work: () => T): T =>
  limits.run({ ...limits.getStore(), ...own }, work);

/** Runs maintenance or bulk work: queries may take {@link BULK_QUERY_MS} and do not end with a caller. */
export const inBulk = <T>(work: () => T): T => limits.run({ maxTimeMs: BULK_QUERY_MS }, work);

/** Index of the options argument of each reading method, and whether it supports signals. */
const READS: Readonly<Record<string, { options: number; abortable: boolean }>> = {
  find: { options: 1, abortable: true },
  findOne: { options: 1, abortable: true },
  aggregate: { options: 1, abortable: true },
  countDocuments: { options: 1, abortable: true },
  distinct: { options: 2, abortable: false },
  estimatedDocumentCount: { options: 0, abortable: false },
};

/**
 * Sets a time limit on every reading query of a connection, from models and collections. Call it before models are created. Queries
 * with a `maxTimeMS` keep it.
 */
export function limitQueries<C extends object>(connection: C, maxTimeMs = DEFAULT_QUERY_MS): C {
  return wrapMethods(connection, Object.keys(READS), (method, name) => {
    const { options: place, abortable } = READS[name]!;
    return function (this: unknown, ...args: unknown[]) {
      const own = limits.getStore();
      const given = (args[place] ?? {}) as Record<string, unknown>;
      own?.signal?.throwIfAborted();
      args[place] = {
        maxTimeMS: own?.maxTimeMs ?? maxTimeMs,
        ...(abortable && own?.signal ? { signal: own.signal } : {}),
        ...given,
      };
      return method.apply(this, args);
    };
  });
}

/** Whether the store killed a query because of its time limit (MaxTimeMSExpired). */
export const isQueryTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 50;
