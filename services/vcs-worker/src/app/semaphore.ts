import { ServiceError } from '@parlance/errors';

/** How many may wait for each place that there is. */
const WAITING_EACH = 8;

/** Lets so many pieces of work go on at a time; others wait in the order of asking, and when too many wait they are sent away. */
export class Semaphore {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly count: number) {}

  /**
   * @returns gives the place back
   * @throws ServiceError UNAVAILABLE: too many wait, or the one who asked has gone away
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
      throw new ServiceError('UNAVAILABLE', { message: 'Too many repositories are being read; try again later.' });
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

  /** A place that is given back goes to whoever waits longest. */
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

const gone = () => new ServiceError('UNAVAILABLE', { message: 'Nobody waits for this any more.' });
