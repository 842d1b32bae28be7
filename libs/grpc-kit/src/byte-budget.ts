import { ServiceError } from '@parlance/errors';

/** Limits on the bytes that concurrent requests hold. */
export interface ByteShares {
  /** All requests of the process together. */
  total: number;
  /** All requests of one signed-in caller. */
  caller: number;
  /** All anonymous requests together. */
  anonymous: number;
  /** All anonymous requests of one address. */
  address: number;
}

/** The shares of `total` bytes: a caller gets a quarter, all anonymous callers an eighth. */
export function sharesOf(total: number): ByteShares {
  return { total, caller: Math.ceil(total / 4), anonymous: Math.ceil(total / 8), address: Math.ceil(total / 16) };
}

/** Bytes that one request holds. */
export interface ByteLease {
  /** @throws TOO_LARGE if the request exceeds its caller's share, UNAVAILABLE if other requests hold too much */
  grow(bytes: number): void;
  /** Throws like `grow` but reserves nothing, for the announced size of a request. */
  check(bytes: number): void;
  shrink(bytes: number): void;
  /** Releases everything. Idempotent. */
  release(): void;
}

/** Admission control by size: bounds the bytes that all requests of a process hold, in total, per caller, and for anonymous callers. */
export class ByteBudget {
  private held = 0;
  private heldAnonymously = 0;
  private readonly byOwner = new Map<string, number>();

  constructor(private readonly shares: ByteShares) {}

  /** Bytes that all requests currently hold. */
  get used(): number {
    return this.held;
  }

  /** @param owner the user, or the address of an anonymous caller */
  lease(owner: string, anonymous: boolean): ByteLease {
    let own = 0;
    const limit = Math.min(
      this.shares.total,
      anonymous ? Math.min(this.shares.address, this.shares.anonymous) : this.shares.caller,
    );
    const check = (bytes: number): void => {
      if (own + bytes > limit)
        throw new ServiceError('TOO_LARGE', { message: `The body is larger than ${limit} bytes.` });
      const fits =
        this.held + bytes <= this.shares.total &&
        (!anonymous || this.heldAnonymously + bytes <= this.shares.anonymous) &&
        (this.byOwner.get(owner) ?? 0) + bytes <= limit;
      if (!fits)
        throw new ServiceError('UNAVAILABLE', {
          message: 'Too many large requests are in progress. Retry the request later.',
        });
    };
    const move = (bytes: number): void => {
      own += bytes;
      this.held += bytes;
      if (anonymous) this.heldAnonymously += bytes;
      const left = (this.byOwner.get(owner) ?? 0) + bytes;
      if (left > 0) this.byOwner.set(owner, left);
      else this.byOwner.delete(owner);
    };
    let released = false;
    return {
      check,
      grow: (bytes) => {
        check(bytes);
        if (!released) move(bytes);
      },
      shrink: (bytes) => move(-Math.min(bytes, own)),
      release: () => {
        released = true;
        move(-own);
      },
    };
  }
}
