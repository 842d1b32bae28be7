import { fieldErrors, isServiceError } from '@parlance/errors';
import { isRepositoryPath } from '@parlance/git';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';

/** Limit of the unpacked size of an archive. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_FILES = 20_000;
/** Texts do not compress more than this. */
const MAX_RATIO = 200;
const UNIX_LINK = 0o120000;
const UNIX_KIND = 0o170000;

const archiveError = (detail: string) => fieldErrors([{ attr: 'zipfile', code: 'invalid', detail }]);

const openArchive = (bytes: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true, strictFileNames: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    );
  });

async function readEntry(zip: ZipFile, entry: Entry, room: number): Promise<Buffer> {
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    if (size > room) throw archiveError(`The archive contains more than ${MAX_BYTES / 1024 / 1024} MiB.`);
    parts.push(chunk as Buffer);
  }
  return Buffer.concat(parts);
}

/**
 * Files of a ZIP archive. Folders and links are skipped.
 * @throws ServiceError INVALID on field zipfile: damaged, encrypted, too large, paths that escape the archive
 */
export async function unpackArchive(bytes: Buffer): Promise<{ path: string; bytes: Buffer }[]> {
  const files: { path: string; bytes: Buffer }[] = [];
  let room = MAX_BYTES;
  try {
    const zip = await openArchive(bytes);
    if (zip.entryCount > MAX_FILES) throw archiveError(`The archive contains more than ${MAX_FILES} files.`);
    // Shared by all entries, because adding a listener for each of thousands of entries would be slow.
    let answer: { found: (entry: Entry | null) => void; failed: (error: Error) => void };
    zip.on('entry', (entry: Entry) => answer.found(entry));
    zip.on('end', () => answer.found(null));
    zip.on('error', (error: Error) => answer.failed(error));
    const next = () =>
      new Promise<Entry | null>((found, failed) => {
        answer = { found, failed };
        zip.readEntry();
      });
    for (let entry = await next(); entry; entry = await next()) {
      const kind = (entry.externalFileAttributes >>> 16) & UNIX_KIND;
      if (entry.fileName.endsWith('/') || kind === UNIX_LINK) continue;
      if (!isRepositoryPath(entry.fileName))
        throw archiveError(`The archive contains a file with an invalid path: ${entry.fileName.slice(0, 200)}`);
      if (entry.isEncrypted()) throw archiveError('The archive is encrypted.');
      if (entry.uncompressedSize > 1_000_000 && entry.uncompressedSize > entry.compressedSize * MAX_RATIO)
        throw archiveError('The compression ratio of the archive is too high.');
      const content = await readEntry(zip, entry, room);
      room -= content.length;
      files.push({ path: entry.fileName, bytes: content });
    }
  } catch (error) {
    if (isServiceError(error)) throw error;
    throw archiveError(`The archive cannot be read: ${String((error as Error).message).slice(0, 200)}`);
  }
  if (files.length === 0) throw archiveError('The archive contains no files.');
  return files;
}
