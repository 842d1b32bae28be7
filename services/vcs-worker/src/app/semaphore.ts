import { ServiceError } from '@parlance/errors';

/** Queue limit for each permit. */
const WAITING_EACH = 8;

/** Semaphore with a bounded FIFO queue; rejects callers when the queue is full. */
export class Semaphore {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly count: number) {}

  /**
   * @returns a function that releases the permit
   * @throws ServiceError UNAVAILABLE if the queue is full or the caller cancelled
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw gone();
    if (this.taken < this.count) this.taken++;
    else await this.turn(signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.pass();
    };
  }

  private turn(signal: AbortSignal): Promise<void> {
    if (this.waiting.size >= this.count * WAITING_EACH)
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
        reject(gone());
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.add(onTurn);
    });
  }

  /** Passes a released permit to the first waiter. */
  private pass(): void {
    const [next] = this.waiting;
    if (!next) {
      this.taken--;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}

const gone = () => new ServiceError('UNAVAILABLE', { message: 'The request was cancelled.' });
