import { ServiceError } from '@parlance/errors';

export interface ByteBudgetOptions {
  /** Maximum bytes of all reservations. */
  total: number;
  /** Maximum bytes of one caller's reservations, unless a single reservation needs more. */
  perCaller: number;
  /** Maximum number of waiting requests. Further ones are rejected immediately. */
  maxWaiting: number;
  /** Maximum wait of a request in milliseconds. */
  maxWaitMs: number;
}

/** Reservation of bytes for a request. */
export interface Reservation {
  /** Releases the bytes beyond this number. */
  shrinkTo(bytes: number): void;
  /** Releases everything. Idempotent. */
  release(): void;
}

interface Waiter {
  bytes: number;
  caller: string;
  grant: () => void;
}

/**
 * Weighted semaphore over the bytes that requests hold, with a bounded FIFO queue. A waiter whose caller is at its limit does not block waiters of other callers.
 */
export class ByteBudget {
  private held = 0;
  private readonly byCaller = new Map<string, number>();
  private readonly waiting: Waiter[] = [];

  constructor(private readonly options: ByteBudgetOptions) {}

  /** Bytes that are reserved now. */
  get reserved(): number {
    return this.held;
  }

  /**
   * Waits until the bytes are available and reserves them.
   * @param bytes values above the total count as the total, so such a request runs alone
   * @throws OVERLOADED if the queue is full or the wait too long; UNAVAILABLE if the signal aborts
   */
  async reserve(bytes: number, caller: string, signal?: AbortSignal): Promise<Reservation> {
    const needed = Math.min(bytes, this.options.total);
    if (this.waiting.some((waiter) => waiter.caller === caller) || !this.fits(needed, caller))
      await this.queue(needed, caller, signal);
    else this.take(needed, caller);
    let kept = needed;
    const shrinkTo = (size: number): void => {
      if (size >= kept) return;
      this.release(kept - size, caller);
      kept = size;
    };
    return { shrinkTo, release: () => shrinkTo(0) };
  }

  private fits(bytes: number, caller: string): boolean {
    const own = this.byCaller.get(caller) ?? 0;
    const { total, perCaller } = this.options;
    return this.held + bytes <= total && (own === 0 || own + bytes <= perCaller);
  }

  private take(bytes: number, caller: string): void {
    this.held += bytes;
    this.byCaller.set(caller, (this.byCaller.get(caller) ?? 0) + bytes);
  }

  private release(bytes: number, caller: string): void {
    this.held -= bytes;
    const own = this.byCaller.get(caller)! - bytes;
    if (own > 0) this.byCaller.set(caller, own);
    else this.byCaller.delete(caller);
    this.grantNext();
  }

  private grantNext(): void {
    for (let at = 0; at < this.waiting.length;) {
      const { bytes, caller, grant } = this.waiting[at]!;
      if (this.fits(bytes, caller)) {
        this.waiting.splice(at, 1);
        this.take(bytes, caller);
        grant();
      } else if (this.held + bytes > this.options.total) return;
      else at++;
    }
  }

  private queue(bytes: number, caller: string, signal?: AbortSignal): Promise<void> {
    const { maxWaiting, maxWaitMs } = this.options;
    const own = this.waiting.filter((waiter) => waiter.caller === caller).length;
    if (signal?.aborted) throw new ServiceError('UNAVAILABLE');
    if (this.waiting.length >= maxWaiting || own >= maxWaiting / 2) throw new ServiceError('OVERLOADED');
    return new Promise((resolve, reject) => {
      const leave = (error: ServiceError) => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        settle();
        reject(error);
        this.grantNext();
      };
      const aborted = () => leave(new ServiceError('UNAVAILABLE'));
      const timer = setTimeout(() => leave(new ServiceError('OVERLOADED')), maxWaitMs);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
      };
      const waiter: Waiter = {
        bytes,
        caller,
        grant: () => {
          settle();
          resolve();
        },
      };
      signal?.addEventListener('abort', aborted, { once: true });
      this.waiting.push(waiter);
    });
  }
}
