import { crc32 } from 'node:zlib';
import type { ImageType } from './image';

/**
 * Strips metadata that can locate or identify people from an image, without changing its pixels: containers are copied chunk by
 * chunk, and only chunks on an allowlist are kept. Bytes after the end of the image are removed as well. A file without such chunks is
 * returned byte for byte. The file must have been decoded before: a damaged container is copied as far as it parses.
 * @param orientation EXIF orientation, 1 to 8; kept unless it is upright
 */
export function stripMetadata(bytes: Buffer, type: ImageType, orientation = 1): Buffer {
  const exif = orientation > 1 && orientation <= 8 ? orientationOnly(orientation) : undefined;
  switch (type) {
    case 'image/jpeg':
      return stripJpeg(bytes, exif);
    case 'image/gif':
      return stripGif(bytes);
    case 'image/webp':
      return stripWebp(bytes, exif);
    default:
      return stripPng(bytes, exif);
  }
}

/** A TIFF block with only the orientation: the one EXIF field that viewers need. */
function orientationOnly(orientation: number): Buffer {
  const block = Buffer.from('49492a00080000000100120103000100000000000000' + '00000000', 'hex');
  block.writeUInt16LE(orientation, 18);
  return block;
}

const EXIF_HEAD = Buffer.from('Exif\0\0', 'latin1');

/** Application segments that affect the display of a JPEG: JFIF, ICC profiles and Adobe's colour transform. */
function isJpegSegmentKept(marker: number, body: Buffer): boolean {
  if (marker === 0xe2) return body.subarray(0, 12).toString('latin1') === 'ICC_PROFILE\0';
  if (marker === 0xe0 || marker === 0xee) return true;
  const isApplication = marker >= 0xe0 && marker <= 0xef;
  return !isApplication && marker !== 0xfe;
}

function stripJpeg(bytes: Buffer, exif: Buffer | undefined): Buffer {
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  let place = 1;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) break;
    const length = marker >= 0xd0 && marker <= 0xd7 ? 0 : bytes.readUInt16BE(at + 2);
    const end = Math.min(at + 2 + length, bytes.length);
    const body = bytes.subarray(at + 4, end);
    if (isJpegSegmentKept(marker, body)) {
      const next = marker === 0xda || length === 0 ? endOfScan(bytes, end) : end;
      parts.push(bytes.subarray(at, next));
      // Readers expect EXIF directly after JFIF.
      if (marker === 0xe0 && parts.length === 2) place = 2;
      at = next;
    } else at = end;
  }
  parts.push(bytes[at] === 0xff && bytes[at + 1] === 0xd9 ? bytes.subarray(at, at + 2) : Buffer.alloc(0));
  if (exif) {
    const body = Buffer.concat([EXIF_HEAD, exif]);
    const head = Buffer.from([0xff, 0xe1, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    parts.splice(place, 0, head, body);
  }
  return Buffer.concat(parts);
}

/** End of the entropy-coded data: a marker other than a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** Ancillary PNG chunks for display, animation and creation time. Critical chunks begin with a capital letter. */
const PNG_CHUNKS: ReadonlySet<string> = new Set(
  (
    'tRNS gAMA cHRM sRGB iCCP sBIT bKGD hIST pHYs sPLT tIME cICP mDCV mDCv cLLI cLLi ' +
    'acTL fcTL fdAT oFFs pCAL sCAL sTER gIFg iDOT vpAg'
  ).split(' '),
);
/** PNG texts that programs write into every file and that identify no person. */
const PNG_TEXTS: ReadonlySet<string> = new Set([
  'Software',
  'Creation Time',
  'date:create',
  'date:modify',
  'date:timestamp',
]);

function isPngChunkKept(type: string, body: Buffer): boolean {
  if (/^[A-Z]/.test(type) || PNG_CHUNKS.has(type)) return true;
  if (!/^(?:tEXt|zTXt|iTXt)$/.test(type)) return false;
  return PNG_TEXTS.has(body.subarray(0, Math.max(body.indexOf(0), 0)).toString('latin1'));
}

function stripPng(bytes: Buffer, exif: Buffer | undefined): Buffer {
  const parts: Buffer[] = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = Math.min(at + 12 + bytes.readUInt32BE(at), bytes.length);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (isPngChunkKept(type, bytes.subarray(at + 8, end - 4))) parts.push(bytes.subarray(at, end));
    if (type === 'IHDR' && exif) parts.push(pngChunk('eXIf', exif));
    if (type === 'IEND') break;
    at = end;
  }
  return Buffer.concat(parts);
}

function pngChunk(type: string, body: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + body.length);
  chunk.writeUInt32BE(body.length, 0);
  chunk.write(type, 4, 'latin1');
  body.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length);
  return chunk;
}

const WEBP_CHUNKS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Bits of the VP8X chunk. */
const WEBP_EXIF = 0x08;
const WEBP_XMP = 0x04;

function stripWebp(bytes: Buffer, exif: Buffer | undefined): Buffer {
  const parts: Buffer[] = [Buffer.from(bytes.subarray(0, 12))];
  const limit = Math.min(8 + bytes.readUInt32LE(4), bytes.length);
  let isExtended = false;
  for (let at = 12; at + 8 <= limit;) {
    const type = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const end = Math.min(at + 8 + size + (size % 2), limit);
    if (WEBP_CHUNKS.has(type)) {
      const chunk = Buffer.from(bytes.subarray(at, end));
      if (type === 'VP8X' && chunk.length > 8) {
        isExtended = true;
        chunk[8] = ((chunk[8] as number) & ~(WEBP_EXIF | WEBP_XMP)) | (exif ? WEBP_EXIF : 0);
      }
      parts.push(chunk);
    }
    at = end;
  }
  if (exif && isExtended) {
    const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
    head.writeUInt32LE(exif.length, 4);
    parts.push(head, exif);
  }
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  (parts[0] as Buffer).writeUInt32LE(size - 8, 4);
  return Buffer.concat(parts);
}

/** GIF application extensions for animation and colour. */
const GIF_APPLICATIONS: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

function stripGif(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  /** End of the sub-blocks that begin at an offset. */
  const endOfBlocks = (start: number): number => {
    let at = start;
    while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] as number);
    return Math.min(at + 1, bytes.length);
  };
  const tableSize = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  let at = 13 + tableSize(bytes[10] ?? 0);
  parts.push(bytes.subarray(0, at));
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x2c) {
      const end = endOfBlocks(at + 11 + tableSize(bytes[at + 9] ?? 0));
      parts.push(bytes.subarray(at, end));
      at = end;
    } else if (kind === 0x21) {
      const end = endOfBlocks(at + 2);
      const label = bytes[at + 1];
      const application = bytes.toString('latin1', at + 3, at + 14);
      if (label === 0xff ? GIF_APPLICATIONS.has(application) : label !== 0xfe) parts.push(bytes.subarray(at, end));
      at = end;
    } else {
      // The trailer, or stray bytes.
      if (kind === 0x3b) parts.push(bytes.subarray(at, at + 1));
      break;
    }
  }
  return Buffer.concat(parts);
}
