import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a query may keep the store busy when nothing says otherwise, in milliseconds. */
export const DEFAULT_QUERY_MS = 5_000;
/** The same for maintenance and for reads of whole translations, in milliseconds. */
export const BULK_QUERY_MS = 600_000;

/** Limits of all store queries that a piece of work makes. */
export interface QueryLimits {
  maxTimeMs?: number;
  /** Aborted: running queries are ended in the store and fail with the reason of the signal. */
  signal?: AbortSignal;
}

const limits = new AsyncLocalStorage<QueryLimits>();

/** Runs work whose store queries have other limits than the connection's. Limits of the work around it stay. */
export const withQueryLimits = <T>(own: QueryLimits, work: () => T): T =>
  limits.run({ ...limits.getStore(), ...own }, work);

/** Runs maintenance or bulk work: its queries may take {@link BULK_QUERY_MS} and depend on no caller. */
export const inBulk = <T>(work: () => T): T => limits.run({ maxTimeMs: BULK_QUERY_MS }, work);

/** Position of the options among the arguments of each reading method, and whether it takes a signal. */
const READS: Readonly<Record<string, { options: number; abortable: boolean }>> = {
  find: { options: 1, abortable: true },
  findOne: { options: 1, abortable: true },
  aggregate: { options: 1, abortable: true },
  countDocuments: { options: 1, abortable: true },
  distinct: { options: 2, abortable: false },
  estimatedDocumentCount: { options: 0, abortable: false },
};

type Method = (...args: unknown[]) => unknown;

/** A connection of mongoose, as far as this needs it. */
interface Limitable {
  collection: (name: string, options?: object) => object;
}

const limited = new WeakSet<object>();

function limitCollection(collection: object, maxTimeMs: number): void {
  if (limited.has(collection)) return;
  limited.add(collection);
  const methods = collection as Record<string, Method>;
  for (const [name, { options: place, abortable }] of Object.entries(READS)) {
    const method = methods[name];
    if (!method) continue;
    methods[name] = function (this: unknown, ...args: unknown[]) {
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
  }
}

/**
 * Gives every reading query of a connection a time limit, whether it comes from a model or from its collection. Call it before the
 * models are made. A query with a `maxTimeMS` of its own keeps it.
 */
export function limitQueries<C extends object>(connection: C, maxTimeMs = DEFAULT_QUERY_MS): C {
  const own = connection as C & Limitable;
  const collection = own.collection.bind(own);
  own.collection = (name, options) => {
    const made = collection(name, options);
    limitCollection(made, maxTimeMs);
    return made;
  };
  return connection;
}

/** Whether a query was ended by the store because it took too long (MaxTimeMSExpired). */
export const isQueryTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 50;
