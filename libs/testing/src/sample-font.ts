import { brotliCompressSync } from 'node:zlib';

export interface SampleFont {
  family?: string;
  /** Typographic family, if it is another one. */
  typographicFamily?: string;
  style?: string;
  weight?: number;
  italic?: boolean;
  unitsPerEm?: number;
  /** Advances of characters, in units of the font. */
  advances: Readonly<Record<string, number>>;
  /** Replaces tables, or leaves them out. */
  tables?: Readonly<Record<string, Buffer | null>>;
}

/** Writes numbers of 16 bits, or of 32 bits as `[number]`. */
function numbers(...values: readonly (number | readonly [number])[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(typeof value === 'number' ? 2 : 4);
      if (typeof value === 'number') bytes.writeUInt16BE(value & 0xffff);
      else bytes.writeUInt32BE(value[0] >>> 0);
      return bytes;
    }),
  );
}

const WINDOWS = 3;
const ENGLISH = 0x409;

function nameTable(names: readonly (readonly [id: number, text: string])[]): Buffer {
  const texts = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16());
  let offset = 0;
  const records = names.map(([id], i) => {
    const record = numbers(WINDOWS, 1, ENGLISH, id, texts[i]!.length, offset);
    offset += texts[i]!.length;
    return record;
  });
  return Buffer.concat([numbers(0, names.length, 6 + 12 * names.length), ...records, ...texts]);
}

/** A cmap of format 12. @param groups first and last character, and the glyph of the first */
export function cmapTable(groups: readonly (readonly [first: number, last: number, glyph: number])[]): Buffer {
  const body = groups.map(([first, last, glyph]) => numbers([first], [last], [glyph]));
  return Buffer.concat([
    numbers(0, 1, WINDOWS, 10, [12]),
    numbers(12, 0, [16 + 12 * groups.length], [0], [groups.length]),
    ...body,
  ]);
}

/** The tables of a font without outlines. Glyph 0 stands for missing characters, glyph n for the n-th character. */
function tablesOf(font: SampleFont): Map<string, Buffer> {
  const { family = 'Sample', style = 'Regular', weight = 400, italic = false, unitsPerEm = 1000 } = font;
  const characters = Object.keys(font.advances).sort((a, b) => a.codePointAt(0)! - b.codePointAt(0)!);
  const glyphs = characters.length + 1;
  const os2 = Buffer.alloc(96);
  os2.writeUInt16BE(4, 0);
  os2.writeUInt16BE(weight, 4);
  os2.writeUInt16BE(italic ? 1 : 0x40, 62);
  const names: [number, string][] = [
    [1, family],
    [2, style],
    ...(font.typographicFamily === undefined ? [] : ([[16, font.typographicFamily]] as [number, string][])),
  ];
  const tables: [string, Buffer | null][] = [
    ['OS/2', os2],
    ['cmap', cmapTable(characters.map((char, i) => [char.codePointAt(0)!, char.codePointAt(0)!, i + 1]))],
    ['head', Buffer.concat([numbers([0x10000], [0x10000], [0], [0x5f0f3cf5], 0, unitsPerEm), Buffer.alloc(34)])],
    ['hhea', Buffer.concat([numbers([0x10000], 800, -200, 0), Buffer.alloc(24), numbers(glyphs)])],
    ['hmtx', Buffer.concat([0, ...characters.map((c) => font.advances[c]!)].map((advance) => numbers(advance, 0)))],
    ['maxp', numbers([0x5000], glyphs)],
    ['name', nameTable(names)],
    ...Object.entries(font.tables ?? {}),
  ];
  const kept = new Map(tables.filter((entry): entry is [string, Buffer] => entry[1] !== null));
  for (const [tag, bytes] of tables) if (bytes === null) kept.delete(tag);
  return kept;
}

/** A TrueType or OpenType font file. */
export function sampleFont(font: SampleFont, signature: readonly [number] = [0x10000]): Buffer {
  const tables = [...tablesOf(font)];
  let offset = 12 + 16 * tables.length;
  const bodies: Buffer[] = [];
  const directory = tables.map(([tag, bytes]) => {
    const entry = Buffer.concat([Buffer.from(tag, 'latin1'), numbers([0], [offset], [bytes.length])]);
    const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
    bodies.push(padded);
    offset += padded.length;
    return entry;
  });
  return Buffer.concat([numbers(signature, tables.length, 0, 0, 0), ...directory, ...bodies]);
}

/** A number of variable length, as WOFF2 writes lengths. */
function base128(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(bytes);
}

/**
 * A font file in the format WOFF2.
 * @param transformed metrics are stored in the short form of the format, without side bearings
 * @param claimed lengths that the file claims instead of the true ones
 */
export function sampleWoff2(
  font: SampleFont,
  { transformed = false, claimed = {} }: { transformed?: boolean; claimed?: Readonly<Record<string, number>> } = {},
): Buffer {
  const entries: Buffer[] = [];
  const bodies: Buffer[] = [];
  for (const [tag, bytes] of tablesOf(font)) {
    const isShort = transformed && tag === 'hmtx';
    const advances = () => Array.from({ length: bytes.length / 4 }, (_, i) => bytes.subarray(i * 4, i * 4 + 2));
    const body = isShort ? Buffer.concat([Buffer.from([3]), ...advances()]) : bytes;
    bodies.push(body);
    const flags = Buffer.from([0x3f | (isShort ? 0x40 : 0)]);
    const lengths = [base128(claimed[tag] ?? bytes.length), ...(isShort ? [base128(body.length)] : [])];
    entries.push(Buffer.concat([flags, Buffer.from(tag, 'latin1'), ...lengths]));
  }
  const data = brotliCompressSync(Buffer.concat(bodies));
  const header = (length: number) =>
    Buffer.concat([
      Buffer.from('wOF2', 'latin1'),
      numbers([0x10000], [length], entries.length, 0, [0], [data.length], 1, 0, [0], [0], [0], [0], [0]),
    ]);
  const directory = Buffer.concat(entries);
  return Buffer.concat([header(header(0).length + directory.length + data.length), directory, data]);
}
