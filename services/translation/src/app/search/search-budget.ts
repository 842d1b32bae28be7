import { ServiceError } from '@parlance/errors';
import { isQueryTimeout, withQueryLimits } from '@parlance/store-kit';
import { counter, gauge } from '@parlance/telemetry';

/** Limits of concurrent heavy searches in this process. */
export interface SearchLimits {
  /** Of all callers together. */
  total: number;
  perCaller: number;
  /**
   * How long a slot stays occupied after its caller disconnects, in milliseconds. MongoDB stops the query then, DocumentDB only at its
   * time limit. Releasing the slot earlier would let disconnecting callers exceed the limit.
   */
  lingerMs: number;
}

/** Queue length, as a multiple of the searches that may run: of one caller, and of all callers together. */
const MAX_WAITING_PER_CALLER_SLOT = 4;
const MAX_WAITING_PER_SLOT = 16;
/** Maximum time in the queue, in milliseconds; shorter than the timeout of callers, so that they receive the error. */
const MAX_WAIT_MS = 5_000;

const running = gauge('parlance_searches');
const rejected = counter('parlance_searches_refused_total');

export interface SearchCaller {
  /** Key of the caller's limit, for instance `user:7`. */
  readonly key: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

interface Waiter {
  caller: string;
  start: () => void;
}

/** Semaphore for heavy searches with a limit for each caller and a bounded FIFO queue. */
export class SearchBudget {
  private active = 0;
  private readonly activeOf = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();

  constructor(private readonly limits: SearchLimits) {}

  /**
   * Runs a search as soon as there is capacity.
   * @param signal removes the search from the queue
   * @throws ServiceError THROTTLED (queue of the caller is full), UNAVAILABLE (queue is full, or the caller disconnected)
   */
  async run<T>(caller: string, signal: AbortSignal, search: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw cancelledByCaller();
    if (this.hasCapacity(caller)) this.acquire(caller);
    else await this.waitForCapacity(caller, signal);
    try {
      return await search();
    } catch (error) {
      if (isAborted(signal)) throw cancelledByCaller(error);
      throw error;
    } finally {
      if (isAborted(signal)) setTimeout(() => this.release(caller), this.limits.lingerMs).unref();
      else this.release(caller);
    }
  }

  private hasCapacity(caller: string): boolean {
    return this.active < this.limits.total && (this.activeOf.get(caller) ?? 0) < this.limits.perCaller;
  }

  private acquire(caller: string): void {
    this.active++;
    this.activeOf.set(caller, (this.activeOf.get(caller) ?? 0) + 1);
    this.updateGauges();
  }

  private release(caller: string): void {
    this.active--;
    const left = this.activeOf.get(caller)! - 1;
    if (left > 0) this.activeOf.set(caller, left);
    else this.activeOf.delete(caller);
    // Callers at their limit are skipped, so that they do not block others.
    for (const waiter of this.waiting) {
      if (this.active >= this.limits.total) break;
      if (!this.hasCapacity(waiter.caller)) continue;
      this.waiting.delete(waiter);
      this.acquire(waiter.caller);
      waiter.start();
    }
    this.updateGauges();
  }

  private waitForCapacity(caller: string, signal: AbortSignal): Promise<void> {
    const { total, perCaller } = this.limits;
    let own = 0;
    for (const waiter of this.waiting) if (waiter.caller === caller) own++;
    if (own >= perCaller * MAX_WAITING_PER_CALLER_SLOT) {
      rejected.inc({ limit: 'caller' });
      // Tasks of other services retry on UNAVAILABLE.
      const reason = caller.startsWith(SERVICE_KEY) ? 'UNAVAILABLE' : 'THROTTLED';
      throw new ServiceError(reason, {
        message: 'Too many of your searches are running. Retry when they are finished.',
      });
    }
    if (this.waiting.size >= total * MAX_WAITING_PER_SLOT) {
      rejected.inc({ limit: 'total' });
      throw overloaded();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        caller,
        start: () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const cancel = (error: ServiceError) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.waiting.delete(waiter);
        this.updateGauges();
        reject(error);
      };
      const onAbort = () => cancel(cancelledByCaller());
      const timer = setTimeout(() => {
        rejected.inc({ limit: 'time' });
        cancel(overloaded());
      }, MAX_WAIT_MS);
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.add(waiter);
      this.updateGauges();
    });
  }

  private updateGauges(): void {
    running.set({ state: 'running' }, this.active);
    running.set({ state: 'waiting' }, this.waiting.size);
  }
}

/** Prefix of the keys of services. */
export const SERVICE_KEY = 'service:';

/**
 * Runs the queries of a search. A heavy search waits for capacity and is cancelled when its caller disconnects.
 * @throws ServiceError DEADLINE_EXCEEDED (a query took too long), THROTTLED, UNAVAILABLE
 */
export async function runSearch<T>(
  budget: SearchBudget,
  caller: SearchCaller,
  heavy: boolean,
  search: () => Promise<T>,
): Promise<T> {
  try {
    if (!heavy) return await search();
    const { key, signal } = caller;
    return await budget.run(key, signal, () => withQueryLimits({ signal }, search));
  } catch (error) {
    if (!isQueryTimeout(error)) throw error;
    const message = 'The search exceeded its time limit. Restrict the query, or search in one translation.';
    throw new ServiceError('DEADLINE_EXCEEDED', { message, cause: error });
  }
}

const overloaded = (): ServiceError =>
  new ServiceError('UNAVAILABLE', { message: 'Too many searches are running. Retry in a few seconds.' });

const cancelledByCaller = (cause?: unknown): ServiceError =>
  new ServiceError('UNAVAILABLE', { message: 'The caller disconnected before the search finished.', cause });

/** A function, because the compiler's narrowing of the property would survive an await. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
