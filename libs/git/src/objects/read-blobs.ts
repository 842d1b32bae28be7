import { checkedHash } from '../names';
import type { CommandRunner } from '../process/run';
import { parseObjects } from './parse';

/** Blobs are read in batches of this size, which bounds memory. */
const READ_BATCH_BYTES = 16 * 1024 * 1024;

/** Contents of blobs in the given order. The next batch is read while the caller processes the current one. */
export async function* readBlobs(
  repository: CommandRunner,
  entries: readonly { hash: string; size: number }[],
  signal?: AbortSignal,
): AsyncGenerator<{ hash: string; bytes: Buffer }> {
  const batches: { hash: string; size: number }[][] = [];
  let room = 0;
  for (const entry of entries) {
    if (batches.length === 0 || room < entry.size) {
      batches.push([]);
      room = READ_BATCH_BYTES;
    }
    batches.at(-1)!.push(entry);
    room -= entry.size;
  }
  const read = (batch: { hash: string; size: number }[]) => {
    const reading = repository.run(['cat-file', '--batch', '--buffer'], {
      input: Buffer.from(batch.map((entry) => `${checkedHash(entry.hash)}\n`).join('')),
      maxOutputBytes: batch.reduce((sum, entry) => sum + entry.size + 100, 1024),
      ...(signal ? { signal } : {}),
    });
    // A failure is thrown when the caller reaches this batch; until then it must not count as unhandled.
    reading.catch(() => undefined);
    return reading;
  };
  let ahead = batches[0] && read(batches[0]);
  for (let at = 0; at < batches.length; at++) {
    const { stdout } = await ahead!;
    ahead = batches[at + 1] && read(batches[at + 1]!);
    for (const object of parseObjects(stdout)) yield { hash: object.hash, bytes: object.bytes };
  }
}
