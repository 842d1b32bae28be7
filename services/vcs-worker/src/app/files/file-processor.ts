import { FormatError, formatOf, mergeTemplate, type MergeOptions, type ParseOptions } from '@parlance/formats';
import { TaskLimitError, WorkerPool } from '@parlance/workload';
import { join } from 'node:path';
import type * as tasks from '../../worker';

/** Size limit of files that are processed inline, in bytes. */
const INLINE_BYTES = 128 * 1024;
/** Timeout of a file in a thread, in milliseconds. */
const MAX_RUN_MS = 120_000;
/** Queue limit for a thread. */
const MAX_WAITING = 256;

/** Parses and updates translation files: small ones inline, large ones in a worker thread, which isolates crashes. */
export class FileProcessor {
  private readonly pool: WorkerPool<typeof tasks>;

  /** @param limits threads that work at the same time, and the heap of each, in MB */
  constructor(limits: { threads: number; memoryMb: number }) {
    this.pool = new WorkerPool(join(__dirname, '../../worker'), {
      ...limits,
      maxRunMs: MAX_RUN_MS,
      maxWaiting: MAX_WAITING,
    });
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** Returns the reason why a file cannot be parsed; null if it can. */
  async problem(format: string, bytes: Buffer, options: ParseOptions): Promise<string | null> {
    try {
      if (bytes.length > INLINE_BYTES) {
        return (await this.pool.run('check', { format, bytes, options }))?.problem ?? null;
      }
      formatOf(format).parse(bytes, options);
      return null;
    } catch (error) {
      if (error instanceof FormatError) return error.describe();
      if (error instanceof TaskLimitError) return tooLarge(error);
      throw error;
    }
  }

  /**
   * Updates a gettext file with the strings of another base; returns the same buffer if nothing changes.
   * @returns the problem if the file cannot be parsed
   */
  async update(bytes: Buffer, base: Buffer, options: MergeOptions): Promise<Buffer | { problem: string }> {
    try {
      if (bytes.length + base.length <= INLINE_BYTES) return mergeTemplate(bytes, base, options);
      const updated = await this.pool.run('update', { bytes, base, options });
      if ('problem' in updated) return updated;
      const { buffer, byteOffset, byteLength } = updated.bytes;
      const merged = Buffer.from(buffer, byteOffset, byteLength);
      return merged.equals(bytes) ? bytes : merged;
    } catch (error) {
      if (error instanceof FormatError) return { problem: error.describe() };
      if (error instanceof TaskLimitError) return { problem: tooLarge(error) };
      throw error;
    }
  }
}

function tooLarge({ limit }: TaskLimitError): string {
  const needs = limit === 'memory' ? 'needs more memory' : 'takes longer';
  return `the file is too large to be processed: it ${needs} than is allowed; split it`;
}
