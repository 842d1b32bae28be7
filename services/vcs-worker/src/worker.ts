import { FormatError, formatOf, mergeTemplate, type MergeOptions, type ParseOptions } from '@parlance/formats';
import { transferResult } from '@parlance/workload';

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reason why a file cannot be parsed. */
export type Problem = { problem: string };

function attempt<T>(task: () => T): T | Problem {
  try {
    return task();
  } catch (error) {
    if (error instanceof FormatError) return { problem: error.describe() };
    throw error;
  }
}

// Functions of worker threads. Inputs and results are plain data.

/** Parses a file and returns its problem; null if there is none. */
export function check(input: { format: string; bytes: Uint8Array; options: ParseOptions }): Problem | null {
  return attempt(() => {
    formatOf(input.format).parse(bufferOf(input.bytes), input.options);
    return null;
  });
}

/** Updates a gettext file with the strings of a base. */
export function update(input: {
  bytes: Uint8Array;
  base: Uint8Array;
  options: MergeOptions;
}): { bytes: Uint8Array } | Problem {
  const updated = attempt(() => mergeTemplate(bufferOf(input.bytes), bufferOf(input.base), input.options));
  if (!Buffer.isBuffer(updated)) return updated;
  const bytes = new Uint8Array(updated);
  return transferResult({ bytes }, [bytes]);
}
