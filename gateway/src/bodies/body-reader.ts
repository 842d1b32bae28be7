import { ServiceError } from '@parlance/errors';
import { ByteBudget, sharesOf, type ByteLease } from '@parlance/workload';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Limits of request bodies. */
export interface BodyLimits {
  /** Maximum JSON or form body, in bytes. */
  maxBody: number;
  /** Maximum body with files, in bytes. */
  maxUpload: number;
  /** Maximum pause within a body, and minimum time granted to every body, in milliseconds. */
  patienceMs: number;
}

/** Slower bodies time out after `patienceMs`, in bytes per second. */
const MIN_RATE = 16 * 1024;

/** Accounts for the bytes of all request bodies in this gateway. */
export class BodyBudgets {
  private readonly memory: ByteBudget;
  private readonly disk: ByteBudget;

  constructor(
    memoryBytes: number,
    diskBytes: number,
    private readonly limits: BodyLimits,
  ) {
    this.memory = budgetFor(memoryBytes, limits.maxBody);
    this.disk = budgetFor(diskBytes, limits.maxUpload);
  }

  /** Bytes of bodies in memory. */
  get used(): number {
    return this.memory.used;
  }

  /** The reader of one request's body; its bytes are released when the response is complete. */
  reader(request: IncomingMessage, response: ServerResponse, owner: string, anonymous: boolean): BodyReader {
    const memory = this.memory.lease(owner, anonymous);
    const disk = this.disk.lease(owner, anonymous);
    const atEnd = (release: () => void) => void response.once('close', release);
    atEnd(() => {
      memory.release();
      disk.release();
    });
    return new BodyReader(request, response, this.limits, memory, new DiskLease(disk), atEnd);
  }
}

/** @param largest body size granted to every caller, even if it exceeds the caller's share of the total */
function budgetFor(total: number, largest: number): ByteBudget {
  const shares = sharesOf(total);
  return new ByteBudget({ ...shares, caller: Math.max(shares.caller, largest), policy: 'refuse' });
}

export function tooLarge(limit: number): ServiceError {
  return new ServiceError('TOO_LARGE', { message: `The body is larger than ${limit} bytes.` });
}

/** Bytes of one request in temporary files. */
class DiskLease {
  private reserved = 0;

  constructor(private readonly lease: Pick<ByteLease, 'grow'>) {}

  /** Reserves the announced size, so that of many concurrent uploads the first ones complete. @throws like `grow` */
  reserve(bytes: number): void {
    this.lease.grow(bytes);
    this.reserved += bytes;
  }

  /** @throws TOO_LARGE, UNAVAILABLE */
  grow(bytes: number): void {
    const known = Math.min(bytes, this.reserved);
    if (bytes > known) this.lease.grow(bytes - known);
    this.reserved -= known;
  }
}

/** Reads a request's body: bytes are admitted by the budget as they arrive, with a timeout. */
export class BodyReader {
  constructor(
    readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly limits: BodyLimits,
    /** Bytes in memory. */
    readonly memory: ByteLease,
    /** Bytes in temporary files. */
    readonly disk: DiskLease,
    /** Registers a callback for the end of the request. */
    readonly atEnd: (release: () => void) => void,
  ) {}

  /**
   * The body as it arrives; the memory lease already includes each chunk.
   * @param limit maximum body in bytes; a larger Content-Length is rejected before reading
   * @param held maximum part of the Content-Length that stays in memory
   * @throws TOO_LARGE, UNAVAILABLE, REQUEST_TIMEOUT, PARSE_ERROR
   */
  async *chunks(limit: number, held = limit): AsyncGenerator<Buffer> {
    const announced = Number(this.request.headers['content-length'] ?? 0);
    if (announced > limit) throw tooLarge(limit);
    this.memory.check(Math.min(announced, held));
    if (announced > held) this.disk.reserve(announced);
    this.sendContinue();
    const iterator = this.request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    const begun = Date.now();
    let size = 0;
    // The connection stays open for the error response.
    try {
      for (;;) {
        const left = begun + this.limits.patienceMs + (size / MIN_RATE) * 1000 - Date.now();
        const next = await inTime(iterator.next(), Math.min(this.limits.patienceMs, left));
        if (next.done) break;
        size += next.value.length;
        if (size > limit) throw tooLarge(limit);
        this.memory.grow(next.value.length);
        yield next.value;
      }
      if (!this.request.complete) throw new ServiceError('PARSE_ERROR', { message: 'The body ended early.' });
    } finally {
      // The promise settles after the pending read; awaiting it would block.
      void iterator.return?.();
    }
  }

  async bytes(limit: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.chunks(limit)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Sends 100 Continue to a client that waits for it, after all other checks have passed. */
  private sendContinue(): void {
    if (/100-continue/i.test(this.request.headers.expect ?? '')) this.response.writeContinue();
  }
}

/** @throws REQUEST_TIMEOUT */
async function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ServiceError('REQUEST_TIMEOUT')), Math.max(0, ms));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
