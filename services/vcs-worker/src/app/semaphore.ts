import { ServiceError } from '@parlance/errors';

/** Queue limit for each permit. */
const MAX_WAITING_PER_PERMIT = 8;

/** Semaphore with a bounded FIFO queue; rejects callers when the queue is full. */
export class Semaphore {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly count: number) {}

  /**
   * @returns a function that releases the permit
   * @throws ServiceError UNAVAILABLE if the queue is full or the caller cancelled
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw cancelled();
    if (this.taken < this.count) this.taken++;
    else await this.waitForPermit(signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.releasePermit();
    };
  }

  private waitForPermit(signal: AbortSignal): Promise<void> {
    if (this.waiting.size >= this.count * MAX_WAITING_PER_PERMIT)
      throw new ServiceError('UNAVAILABLE', {
        message: 'Too many repositories are being read. Retry the request later.',
      });
    return new Promise((resolve, reject) => {
      const onTurn = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        this.waiting.delete(onTurn);
        reject(cancelled());
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.add(onTurn);
    });
  }

  /** Passes a released permit to the first waiter. */
  private releasePermit(): void {
    const [next] = this.waiting;
    if (!next) {
      this.taken--;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}

const cancelled = () => new ServiceError('UNAVAILABLE', { message: 'The request was cancelled.' });
