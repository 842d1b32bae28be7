// Records begin with their length in bytes (int32, little-endian), as BSON documents do. Objects are stored as such records, too.

/** Size of a batch for the store, in bytes. Larger records are a batch of their own. */
const BATCH_BYTES = 512 * 1024;
/** Maximum size of a record: an object of the largest size with its header. */
const MAX_RECORD_BYTES = 80 * 1024 * 1024;

/** Splits a stream of bytes into records. @throws on damaged or incomplete ones */
export async function* recordsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    // The beginning of a large record is joined once, when all of it has arrived.
    if (size < neededBytes(parts)) continue;
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    let at = 0;
    while (bytes.length - at >= 4) {
      const length = lengthAt(bytes, at);
      if (at + length > bytes.length) break;
      yield bytes.subarray(at, at + length);
      at += length;
    }
    parts = at < bytes.length ? [bytes.subarray(at)] : [];
    size = bytes.length - at;
  }
  if (size > 0) throw new Error('the file ends within a record');
}

function neededBytes(parts: readonly Buffer[]): number {
  const first = parts[0]!;
  return first.length >= 4 ? lengthAt(first, 0) : 4;
}

function lengthAt(bytes: Buffer, at: number): number {
  const length = bytes.readInt32LE(at);
  if (length < 5 || length > MAX_RECORD_BYTES) throw new Error('a record is damaged');
  return length;
}

/** Joins records into batches. */
export async function* batchesOf(records: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let batch: Buffer[] = [];
  let bytes = 0;
  for await (const record of records) {
    batch.push(record);
    bytes += record.length;
    if (bytes < BATCH_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(batch);
}

/** Sizes of the BSON types that ids have, by type number; strings carry their own length. */
const ID_BYTES: Readonly<Record<number, number>> = { 0x01: 8, 0x07: 12, 0x10: 4, 0x12: 8 };
const STRING = 0x02;
/** Position of the id's value: after length, type and the name `_id`. */
const ID_AT = 9;

/** The bytes of a BSON document's id, which is its first element. */
export function idOf(document: Buffer): Buffer {
  const type = document[4]!;
  if (document.toString('latin1', 5, ID_AT) !== '_id\0') throw new Error('a document does not begin with its id');
  const length = type === STRING ? 4 + document.readInt32LE(ID_AT) : ID_BYTES[type];
  if (length === undefined) throw new Error(`an id has the unexpected BSON type ${type}`);
  return document.subarray(4, ID_AT + length);
}

/** An object of a backup, such as an image. */
export interface ObjectRecord {
  key: string;
  contentType: string;
  bytes: Buffer;
}

export function encodeObject({ key, contentType, bytes }: ObjectRecord): Buffer {
  const header = Buffer.from(JSON.stringify({ key, contentType }));
  const lengths = Buffer.alloc(8);
  lengths.writeInt32LE(8 + header.length + bytes.length, 0);
  lengths.writeInt32LE(header.length, 4);
  return Buffer.concat([lengths, header, bytes]);
}

export function decodeObject(record: Buffer): ObjectRecord {
  const end = 8 + record.readInt32LE(4);
  const header = JSON.parse(record.toString('utf8', 8, end)) as { key: string; contentType: string };
  return { ...header, bytes: record.subarray(end) };
}
