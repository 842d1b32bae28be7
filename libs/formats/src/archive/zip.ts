import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { printable } from '../core/document';
import { defaultLimits, FormatError, type Limits } from '../format';

/** A file in an archive; `record` is its entry in the central directory. */
interface Member {
  name: string;
  method: number;
  crc: number;
  packedSize: number;
  size: number;
  localOffset: number;
  record: Buffer;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_MEMBERS = 10_000;
/** Maximum compression ratio of a member. Real documents stay far below. */
const MAX_RATIO = 300;

/**
 * A ZIP archive in which members can be replaced and all others keep their bytes, which no ZIP library offers. Sizes are checked
 * before and during unpacking.
 */
export class ZipArchive {
  private readonly members: Member[] = [];
  private readonly byName = new Map<string, Member>();
  private readonly directoryOffset: number;
  private readonly endOffset: number;

  constructor(
    private readonly bytes: Buffer,
    limits?: Partial<Limits>,
  ) {
    const { maxBytes } = { ...defaultLimits, ...limits };
    if (bytes.length > maxBytes)
      throw new FormatError('limit', `the file has ${bytes.length} bytes, more than the allowed ${maxBytes}`, 1, 1);
    this.endOffset = this.findEnd();
    const count = bytes.readUInt16LE(this.endOffset + 10);
    this.directoryOffset = bytes.readUInt32LE(this.endOffset + 16);
    if (count > MAX_MEMBERS) throw new FormatError('limit', `the archive has more than ${MAX_MEMBERS} files`, 1, 1);
    let at = this.directoryOffset;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const member = this.readMember(at);
      at += member.record.length;
      total += member.size;
      if (total > maxBytes)
        throw new FormatError('limit', `the files of the archive have more than ${maxBytes} bytes`, 1, 1);
      if (this.byName.has(member.name)) throw broken(`two files are called "${printable(member.name)}"`);
      this.members.push(member);
      this.byName.set(member.name, member);
    }
  }

  private findEnd(): number {
    const from = Math.max(0, this.bytes.length - 65_557);
    for (let at = this.bytes.length - 22; at >= from; at--) if (this.bytes.readUInt32LE(at) === END) return at;
    throw broken('it has no directory');
  }

  private readMember(at: number): Member {
    const { bytes } = this;
    if (at + 46 > this.endOffset || bytes.readUInt32LE(at) !== CENTRAL) throw broken('its directory is damaged');
    const end = at + 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (end > this.endOffset) throw broken('its directory is damaged');
    const record = bytes.subarray(at, end);
    const name = record.subarray(46, 46 + record.readUInt16LE(28)).toString('utf8');
    const packedSize = record.readUInt32LE(20);
    const size = record.readUInt32LE(24);
    const localOffset = record.readUInt32LE(42);
    if ((record.readUInt16LE(8) & 1) === 1) throw broken('its files are encrypted');
    if (localOffset + 30 > this.directoryOffset || bytes.readUInt32LE(localOffset) !== LOCAL)
      throw broken('its directory is damaged');
    if (/^[/\\]|^[A-Za-z]:|\\|(?:^|\/)\.\.(?:\/|$)|\0/.test(name))
      throw broken(`the name "${printable(name)}" leads out of it`);
    if (size > 1_000_000 && size > packedSize * MAX_RATIO) {
      throw new FormatError('limit', `"${printable(name)}" unpacks to more than ${MAX_RATIO} times its size`, 1, 1);
    }
    return {
      name,
      method: record.readUInt16LE(10),
      crc: record.readUInt32LE(16),
      packedSize,
      size,
      localOffset,
      record,
    };
  }

  get names(): string[] {
    return this.members.map((member) => member.name);
  }

  /** The unpacked bytes of a file, or undefined. */
  read(name: string): Buffer | undefined {
    const member = this.byName.get(name);
    if (!member) return undefined;
    const { bytes } = this;
    const start =
      member.localOffset +
      30 +
      bytes.readUInt16LE(member.localOffset + 26) +
      bytes.readUInt16LE(member.localOffset + 28);
    const packed = bytes.subarray(start, start + member.packedSize);
    if (packed.length !== member.packedSize || start + member.packedSize > this.directoryOffset)
      throw broken('it is truncated');
    const data = this.unpack(member, packed);
    if (data.length !== member.size || crc32(data) !== member.crc) throw broken(`"${printable(name)}" is damaged`);
    return data;
  }

  private unpack(member: Member, packed: Buffer): Buffer {
    if (member.method === 0) return packed;
    if (member.method !== 8) throw broken(`"${printable(member.name)}" uses an unknown compression method`);
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(member.size, 1) });
    } catch {
      throw broken(`"${printable(member.name)}" is damaged`);
    }
  }

  /** The archive with some files replaced; the records of all others are copied byte by byte. */
  replace(files: ReadonlyMap<string, Buffer>): Buffer {
    if (files.size === 0) return Buffer.from(this.bytes);
    const byOffset = [...this.members].sort((a, b) => a.localOffset - b.localOffset);
    const parts: Buffer[] = [];
    let length = 0;
    const push = (part: Buffer): void => {
      parts.push(part);
      length += part.length;
    };
    push(this.bytes.subarray(0, byOffset[0]?.localOffset ?? 0));
    const records = new Map<Member, Buffer>();
    byOffset.forEach((member, i) => {
      const next = byOffset[i + 1]?.localOffset ?? this.directoryOffset;
      const record = Buffer.from(member.record);
      record.writeUInt32LE(length, 42);
      records.set(member, record);
      const data = files.get(member.name);
      if (data === undefined) push(this.bytes.subarray(member.localOffset, next));
      else for (const part of this.newRecord(member, data, record)) push(part);
    });
    const directory = Buffer.concat(this.members.map((member) => records.get(member) as Buffer));
    const end = Buffer.from(this.bytes.subarray(this.endOffset));
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(length, 16);
    return Buffer.concat([...parts, directory, end]);
  }

  /** Local header and data of a replaced file; patches its record in the directory. */
  private newRecord(member: Member, data: Buffer, record: Buffer): Buffer[] {
    const packed = member.method === 8 ? deflateRawSync(data) : data;
    const nameLength = this.bytes.readUInt16LE(member.localOffset + 26);
    const extraLength = this.bytes.readUInt16LE(member.localOffset + 28);
    const header = Buffer.from(
      this.bytes.subarray(member.localOffset, member.localOffset + 30 + nameLength + extraLength),
    );
    // The header has the sizes, so no data descriptor follows.
    header.writeUInt16LE(header.readUInt16LE(6) & ~8, 6);
    record.writeUInt16LE(record.readUInt16LE(8) & ~8, 8);
    for (const [target, crcAt] of [
      [header, 14],
      [record, 16],
    ] as const) {
      target.writeUInt32LE(crc32(data), crcAt);
      target.writeUInt32LE(packed.length, crcAt + 4);
      target.writeUInt32LE(data.length, crcAt + 8);
    }
    return [header, packed];
  }
}

/** A new archive of files in the given order. Timestamps are zero, so equal content gives equal bytes. */
export function writeZip(files: readonly (readonly [string, Buffer])[]): Buffer {
  const parts: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const [name, data] of files) {
    const nameBytes = Buffer.from(name, 'utf8');
    const packed = deflateRawSync(data);
    const method = packed.length < data.length ? 8 : 0;
    const stored = method === 8 ? packed : data;
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x0800, 2);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt16LE(0x21, 8);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(stored.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(LOCAL);
    const central = Buffer.alloc(6);
    central.writeUInt32LE(CENTRAL);
    central.writeUInt16LE(20, 4);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    records.push(central, facts, tail, nameBytes);
    parts.push(local, facts, nameBytes, stored);
    offset += 30 + nameBytes.length + stored.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

function broken(reason: string): FormatError {
  return new FormatError('syntax', `not a valid ZIP archive: ${reason}`, 1, 1);
}
