import { ServiceError } from '@parlance/errors';
import { isQueryTimeout, withQueryLimits } from '@parlance/store-kit';
import { counter, gauge } from '@parlance/telemetry';

/** How many searches that read many strings go on at the same time in this process. */
export interface SearchLimits {
  /** In all. */
  total: number;
  /** For one caller. */
  perCaller: number;
  /**
   * How long a query can keep the store busy after its caller left, in milliseconds. MongoDB ends it with its connection, DocumentDB
   * when its time is up: a place that was free earlier would let callers who leave start queries without end.
   */
  lingerMs: number;
}

/** Waiting searches of one caller for each that may run, and of all callers together. */
const WAITING_EACH = 4;
const WAITING_ALL = 16;
/** How long a search waits for its turn, in milliseconds: its caller must hear that it was refused before it stops waiting. */
const WAIT_MS = 5_000;

const running = gauge('parlance_searches');
const refused = counter('parlance_searches_refused_total');

/** For whom a search is made. */
export interface SearchCaller {
  /** Whose budget it uses, for instance `user:7`. */
  readonly key: string;
  /** Aborted when the caller stops waiting. */
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
   * Runs a search when its turn comes.
   * @param signal takes the search out of the queue
   * @throws ServiceError THROTTLED (too many searches of the caller wait), UNAVAILABLE (too many searches wait, or the caller left)
   */
  async run<T>(caller: string, signal: AbortSignal, search: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw callerLeft();
    if (this.hasRoom(caller)) this.take(caller);
    else await this.turn(caller, signal);
    try {
      return await search();
    } catch (error) {
      if (aborted(signal)) throw callerLeft(error);
      throw error;
    } finally {
      if (aborted(signal)) setTimeout(() => this.release(caller), this.limits.lingerMs).unref();
      else this.release(caller);
    }
  }

  private hasRoom(caller: string): boolean {
    return this.active < this.limits.total && (this.activeOf.get(caller) ?? 0) < this.limits.perCaller;
  }

  private take(caller: string): void {
    this.active++;
    this.activeOf.set(caller, (this.activeOf.get(caller) ?? 0) + 1);
    this.measure();
  }

  private release(caller: string): void {
    this.active--;
    const left = this.activeOf.get(caller)! - 1;
    if (left > 0) this.activeOf.set(caller, left);
    else this.activeOf.delete(caller);
    // The first whose caller has room: a caller at its limit holds up no other.
    for (const waiter of this.waiting) {
      if (this.active >= this.limits.total) break;
      if (!this.hasRoom(waiter.caller)) continue;
      this.waiting.delete(waiter);
      this.take(waiter.caller);
      waiter.start();
    }
    this.measure();
  }

  private turn(caller: string, signal: AbortSignal): Promise<void> {
    const { total, perCaller } = this.limits;
    let own = 0;
    for (const waiter of this.waiting) if (waiter.caller === caller) own++;
    if (own >= perCaller * WAITING_EACH) {
      refused.inc({ limit: 'caller' });
      // Tasks of other services try again when a part is unavailable.
      const reason = caller.startsWith(SERVICE_KEY) ? 'UNAVAILABLE' : 'THROTTLED';
      throw new ServiceError(reason, {
        message: 'Too many of your searches are running. Retry when they are finished.',
      });
    }
    if (this.waiting.size >= total * WAITING_ALL) {
      refused.inc({ limit: 'total' });
      throw tooMany();
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
      const leave = (error: ServiceError) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.waiting.delete(waiter);
        this.measure();
        reject(error);
      };
      const onAbort = () => leave(callerLeft());
      const timer = setTimeout(() => {
        refused.inc({ limit: 'time' });
        leave(tooMany());
      }, WAIT_MS);
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.add(waiter);
      this.measure();
    });
  }

  private measure(): void {
    running.set({ state: 'running' }, this.active);
    running.set({ state: 'waiting' }, this.waiting.size);
  }
}

/** Start of the keys of callers that are processes. */
export const SERVICE_KEY = 'service:';

/**
 * Runs the queries of a search. A heavy one runs within the budget and ends with its caller.
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
    const message = 'The search took too long. Narrow it down, or search in one translation.';
    throw new ServiceError('DEADLINE_EXCEEDED', { message, cause: error });
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('UNAVAILABLE', { message: 'Too many searches are running. Retry in a few seconds.' });

const callerLeft = (cause?: unknown): ServiceError =>
  new ServiceError('UNAVAILABLE', { message: 'The caller did not wait for the search.', cause });

/** A call, because the compiler takes a property that it saw false for false after an await, too. */
const aborted = (signal: AbortSignal): boolean => signal.aborted;
