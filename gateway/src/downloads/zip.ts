import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive. */
export interface ZipMember {
  /** Path in the archive. */
  name: string;
  /** 0: unknown. */
  modifiedMs: number;
  chunks: AsyncIterable<Buffer>;
}

/** The earliest time that a ZIP archive can represent. */
const EARLIEST_MS = Date.UTC(1980, 0, 2);

/** Removes path segments that would escape from the folder of the archive. */
export function memberName(path: string): string {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/');
}

/**
 * Streams an archive: one member at a time, with constant memory. A failing member fails the archive; a reader that
 * disconnects stops the members.
 */
export async function* zipStream(members: AsyncIterable<ZipMember>): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let running: Readable | undefined;
  let stopped = false;
  const fill = async () => {
    for await (const member of members) {
      if (stopped) return;
      running = Readable.from(member.chunks, { objectMode: false });
      const mtime = new Date(Math.max(member.modifiedMs, EARLIEST_MS));
      zip.addReadStream(running, memberName(member.name), { mtime, mode: 0o100644 });
      await finished(running);
    }
    zip.end();
  };
  const filling = fill().catch((error: unknown) => {
    output.destroy(error as Error);
  });
  // yazl also reports a member's failure here; the stream above reports it to the reader.
  zip.on('error', () => undefined);
  try {
    for await (const chunk of output) yield chunk as Buffer;
  } finally {
    stopped = true;
    running?.destroy();
    await filling;
  }
}
