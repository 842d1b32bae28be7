import { ServiceError } from '@parlance/errors';
import { ByteBudget, type ByteLease } from './byte-budget';

const MIB = 1024 * 1024;
/**
 * Sizes in which room for a streamed file is reserved, in bytes, and their shares of all memory. The size of a stream is not known when
 * it begins. Each size has a budget of its own and a file only waits for a larger one than it has, so files never wait for each other
 * in a circle.
 */
const STEPS = [
  { bytes: MIB, share: 1 / 8 },
  { bytes: 8 * MIB, share: 1 / 4 },
  { bytes: Infinity, share: 5 / 8 },
];

export interface FileAdmissionOptions {
  /** Bytes that all files hold together, at most. */
  totalBytes: number;
  /** Share of that which one caller's files may hold. */
  callerShare: number;
  /** Files that wait for room of one size, at most. */
  maxWaiting: number;
  /** How long a file waits, in milliseconds. */
  maxWaitMs: number;
}

/** A streamed file: its first message, the bytes of all, and the memory that is reserved for it. */
export interface AdmittedFile<M> {
  first: M | undefined;
  bytes: Buffer;
}

/** Who sends a file, and until when. */
export interface FileSender {
  caller: string;
  signal?: AbortSignal;
}

/**
 * Bounds the bytes of all files that a process has received and not finished with. Files that have to wait are not read any further:
 * backpressure holds their senders up.
 */
export class FileAdmission {
  private readonly budgets: { bytes: number; budget: ByteBudget }[];

  constructor({ totalBytes, callerShare, maxWaiting, maxWaitMs }: FileAdmissionOptions) {
    this.budgets = STEPS.map(({ bytes, share }) => {
      const total = totalBytes * share;
      const policy = { maxWaiting, maxWaitMs };
      return { bytes, budget: new ByteBudget({ total, caller: total * callerShare, policy }) };
    });
  }

  /** Bytes that are reserved now. */
  get reserved(): number {
    return this.budgets.reduce((sum, { budget }) => sum + budget.used, 0);
  }

  /** Room for one file whose bytes arrive over time. */
  room(maxBytes: number, sender: FileSender): FileRoom {
    return new FileRoom(this.budgets, maxBytes, sender);
  }

  /**
   * Receives a file and works on it; its memory is free again when the work is done.
   * @throws TOO_LARGE, OVERLOADED
   */
  async receive<M, R>(
    messages: AsyncIterable<M>,
    chunkOf: (message: M) => Buffer,
    { maxBytes, ...sender }: FileSender & { maxBytes: number },
    work: (file: AdmittedFile<M>) => Promise<R>,
  ): Promise<R> {
    const room = this.room(maxBytes, sender);
    try {
      let first: M | undefined;
      for await (const message of messages) {
        first ??= message;
        await room.add(chunkOf(message));
      }
      return await work({ first, bytes: room.whole() });
    } finally {
      room.release();
    }
  }
}

/** The chunks of one file, and the memory that is reserved for them. */
export class FileRoom {
  private chunks: Buffer[] = [];
  private received = 0;
  private lease: ByteLease | undefined;
  private reserved = 0;

  constructor(
    private readonly budgets: readonly { bytes: number; budget: ByteBudget }[],
    private readonly maxBytes: number,
    private readonly sender: FileSender,
  ) {}

  /** Bytes that were received. */
  get size(): number {
    return this.received;
  }

  /** Keeps a chunk; waits for memory. @throws TOO_LARGE, OVERLOADED */
  async add(chunk: Buffer): Promise<void> {
    if (this.received + chunk.length > this.maxBytes) throw new ServiceError('TOO_LARGE');
    if (chunk.length === 0) return;
    while (this.received + chunk.length > this.reserved) await this.grow();
    this.received += chunk.length;
    this.chunks.push(chunk);
  }

  /** All bytes; only their own size stays reserved. */
  whole(): Buffer {
    if (this.lease) this.lease.shrink(this.lease.bytes - this.received);
    const bytes = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    this.chunks = [];
    return bytes;
  }

  /** Gives the memory back; idempotent. */
  release(): void {
    this.chunks = [];
    this.received = 0;
    this.reserved = 0;
    this.lease?.release();
    this.lease = undefined;
  }

  private async grow(): Promise<void> {
    const next = this.budgets.find(({ bytes }) => bytes > this.reserved)!;
    const wanted = Math.min(next.bytes, this.maxBytes);
    const larger = await next.budget.reserve(wanted, this.sender.caller, this.sender.signal);
    this.lease?.release();
    this.lease = larger;
    this.reserved = wanted;
  }
}
