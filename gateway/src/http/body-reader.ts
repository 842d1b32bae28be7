import { ServiceError } from '@parlance/errors';
import { ByteBudget, sharesOf, type ByteLease } from '@parlance/workload';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bounds of request bodies. */
export interface BodyLimits {
  /** Largest JSON or form body, in bytes. */
  maxBody: number;
  /** Largest body with files, in bytes. */
  maxUpload: number;
  /** Longest pause in a body, and the time that every body gets whatever its size, in milliseconds. */
  patienceMs: number;
}

/** A slower body is given up once its patience has run out, in bytes per second. */
const MIN_RATE = 16 * 1024;

/** The bytes that bodies of all requests of this gateway hold. */
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

  /** The reader of one request's body; what the body holds is given back when the response is over. */
  reader(request: IncomingMessage, response: ServerResponse, owner: string, anonymous: boolean): BodyReader {
    const memory = this.memory.lease(owner, anonymous);
    const disk = this.disk.lease(owner, anonymous);
    const atEnd = (release: () => void) => void response.once('close', release);
    atEnd(() => {
      memory.release();
      disk.release();
    });
    return new BodyReader(request, response, this.limits, memory, disk, atEnd);
  }
}

/** @param largest body that every caller may send, however small a share of the total is */
function budgetFor(total: number, largest: number): ByteBudget {
  const shares = sharesOf(total);
  return new ByteBudget({ ...shares, caller: Math.max(shares.caller, largest), policy: 'refuse' });
}

export function tooLarge(limit: number): ServiceError {
  return new ServiceError('TOO_LARGE', { message: `The body is larger than ${limit} bytes.` });
}

/** Every way to read a request's body: bytes are admitted by the budget as they arrive, and must arrive in time. */
export class BodyReader {
  constructor(
    readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly limits: BodyLimits,
    /** Of what lies in memory. */
    readonly memory: ByteLease,
    /** Of what lies in temporary files. */
    readonly disk: ByteLease,
    /** Takes what has to be done when the request is over. */
    readonly atEnd: (release: () => void) => void,
  ) {}

  /**
   * The body as it arrives; each chunk is on the memory lease already.
   * @param limit longest body in bytes; one that announces more is refused before it is read
   * @param held how much of an announced size will lie in memory at most
   * @throws TOO_LARGE, UNAVAILABLE, REQUEST_TIMEOUT, PARSE_ERROR
   */
  async *chunks(limit: number, held = limit): AsyncGenerator<Buffer> {
    const announced = Number(this.request.headers['content-length'] ?? 0);
    if (announced > limit) throw tooLarge(limit);
    this.memory.check(Math.min(announced, held));
    this.letSend();
    const iterator = this.request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    const begun = Date.now();
    let size = 0;
    // The connection stays usable for the answer that says what was wrong.
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
      // It waits for a read that is pending; nothing waits for it.
      void iterator.return?.();
    }
  }

  async bytes(limit: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.chunks(limit)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Lets a client that waits before it sends its body (Expect: 100-continue) go on, now that nothing else stands against the request. */
  private letSend(): void {
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
