import { ServiceError } from '@parlance/errors';

/** Bytes that requests may hold at the same time. */
export interface ByteShares {
  /** All requests of the process together. */
  total: number;
  /** All requests of one caller. */
  caller: number;
  /** All anonymous requests together, and the requests of one address; absent: no anonymous requests. */
  anonymous?: { total: number; address: number };
}

export interface ByteBudgetOptions extends ByteShares {
  /** Behavior of `reserve` without available bytes: it throws, or waits in a bounded FIFO queue. */
  policy: 'refuse' | QueuePolicy;
}

export interface QueuePolicy {
  /** Maximum number of waiting requests. Further ones are rejected immediately. */
  maxWaiting: number;
  /** Maximum wait of a request in milliseconds. */
  maxWaitMs: number;
}

/** The shares of a process that can spare `total` bytes: a caller gets a quarter, all anonymous callers an eighth. */
export function sharesOf(total: number): Required<ByteShares> {
  return {
    total,
    caller: Math.ceil(total / 4),
    anonymous: { total: Math.ceil(total / 8), address: Math.ceil(total / 16) },
  };
}

/** Bytes that one request holds. */
export interface ByteLease {
  readonly bytes: number;
  /** Never waits. @throws TOO_LARGE when the request exceeds its caller's share, UNAVAILABLE while other requests use the budget */
  grow(bytes: number): void;
  /** Throws like `grow` without reserving: for the declared size of a request. */
  check(bytes: number): void;
  shrink(bytes: number): void;
  /** Releases everything. Idempotent. */
  release(): void;
}

interface Owner {
  /** The user, or the address of an anonymous caller. */
  caller: string;
  anonymous: boolean;
}

interface Waiter extends Owner {
  bytes: number;
  grant: () => void;
}

/**
 * Weighted semaphore over the bytes of all requests of a process, with a share per caller. Waiters of a caller whose share is exhausted
 * do not block waiters of other callers.
 */
export class ByteBudget {
  private held = 0;
  private heldAnonymously = 0;
  private readonly byCaller = new Map<string, number>();
  private readonly waiting: Waiter[] = [];

  constructor(private readonly options: ByteBudgetOptions) {}

  /** Bytes that all requests hold now. */
  get used(): number {
    return this.held;
  }

  /** An empty lease, for a request whose size is unknown until it has arrived. */
  lease(caller: string, anonymous = false): ByteLease {
    return new Lease(this, { caller, anonymous });
  }

  /**
   * Reserves bytes as the policy says. A queue counts more than the total as the total, so that one such request runs alone.
   * @throws OVERLOADED when the queue is full or the wait is too long; UNAVAILABLE when the signal aborts; without a queue like `grow`
   */
  async reserve(bytes: number, caller: string, signal?: AbortSignal): Promise<ByteLease> {
    const owner = { caller, anonymous: false };
    const lease = new Lease(this, owner);
    const { policy, total } = this.options;
    if (policy === 'refuse') {
      lease.grow(bytes);
      return lease;
    }
    const needed = Math.min(bytes, total);
    if (this.waiting.some((waiter) => waiter.caller === caller) || !this.fitsQueued(needed, owner))
      await this.queue(policy, needed, owner, signal);
    else this.move(needed, owner);
    lease.bytes = needed;
    return lease;
  }

  /** @throws TOO_LARGE, UNAVAILABLE */
  requireFit(bytes: number, own: number, owner: Owner): void {
    const limit = this.limitOf(owner);
    if (own + bytes > limit)
      throw new ServiceError('TOO_LARGE', { message: `The body is larger than ${limit} bytes.` });
    if (!this.fits(bytes, owner))
      throw new ServiceError('UNAVAILABLE', {
        message: 'Too many large requests are in progress. Retry the request later.',
      });
  }

  /** Accounts for bytes that an owner reserves, or releases when negative. */
  move(bytes: number, { caller, anonymous }: Owner): void {
    this.held += bytes;
    if (anonymous) this.heldAnonymously += bytes;
    const own = (this.byCaller.get(caller) ?? 0) + bytes;
    if (own > 0) this.byCaller.set(caller, own);
    else this.byCaller.delete(caller);
    if (bytes < 0) this.grantNext();
  }

  private limitOf({ anonymous }: Owner): number {
    const { total, caller, anonymous: shares } = this.options;
    if (!anonymous) return Math.min(total, caller);
    return shares ? Math.min(total, shares.total, shares.address) : 0;
  }

  private fits(bytes: number, owner: Owner): boolean {
    const { total, anonymous } = this.options;
    return (
      this.held + bytes <= total &&
      (!owner.anonymous || this.heldAnonymously + bytes <= (anonymous?.total ?? 0)) &&
      (this.byCaller.get(owner.caller) ?? 0) + bytes <= this.limitOf(owner)
    );
  }

  /** A queue also admits a request that exceeds its caller's share if the caller has no other lease. */
  private fitsQueued(bytes: number, owner: Owner): boolean {
    if (!this.byCaller.has(owner.caller)) return this.held + bytes <= this.options.total;
    return this.fits(bytes, owner);
  }

  private grantNext(): void {
    for (let at = 0; at < this.waiting.length;) {
      const waiter = this.waiting[at]!;
      if (this.fitsQueued(waiter.bytes, waiter)) {
        this.waiting.splice(at, 1);
        this.move(waiter.bytes, waiter);
        waiter.grant();
      } else if (this.held + waiter.bytes > this.options.total) return;
      else at++;
    }
  }

  private queue(policy: QueuePolicy, bytes: number, owner: Owner, signal?: AbortSignal): Promise<void> {
    const { maxWaiting, maxWaitMs } = policy;
    const own = this.waiting.filter(({ caller }) => caller === owner.caller).length;
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
        ...owner,
        bytes,
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

class Lease implements ByteLease {
  bytes = 0;
  private released = false;

  constructor(
    private readonly budget: ByteBudget,
    private readonly owner: Owner,
  ) {}

  check(bytes: number): void {
    this.budget.requireFit(bytes, this.bytes, this.owner);
  }

  grow(bytes: number): void {
    this.check(bytes);
    if (this.released) return;
    this.bytes += bytes;
    this.budget.move(bytes, this.owner);
  }

  shrink(bytes: number): void {
    const returned = Math.min(bytes, this.bytes);
    if (returned <= 0) return;
    this.bytes -= returned;
    this.budget.move(-returned, this.owner);
  }

  release(): void {
    this.released = true;
    this.shrink(this.bytes);
  }
}
