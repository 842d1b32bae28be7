// A writer of ZIP archives for tests.
import { crc32, deflateRawSync } from 'node:zlib';

/**
 * @param {Record<string, string | Buffer>} files contents by path
 * @param {{packed?: boolean}} [options] packed: deflate the files instead of storing them
 */
export function zip(files, { packed = false } = {}) {
  const deflated = new Map();
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const { plain, bytes, crc } = deflated.get(content) ?? pack(content, packed);
    deflated.set(content, { plain, bytes, crc });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(packed ? 8 : 0, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(plain.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, bytes);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, name);
    offset += 4 + common.length + name.length + bytes.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

function pack(content, packed) {
  const plain = Buffer.from(content);
  return { plain, bytes: packed ? deflateRawSync(plain) : plain, crc: crc32(plain) };
}
