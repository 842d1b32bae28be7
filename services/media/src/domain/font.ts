/** Maximum upload, in bytes. */
export const MAX_FONT_BYTES = 10 * 1024 * 1024;
/** Maximum size of the tables of a compressed font, in bytes. */
export const MAX_TABLE_BYTES = 32 * 1024 * 1024;
/** Maximum number of characters of a font. */
export const MAX_CHARACTERS = 100_000;
/** Maximum number of fonts of a project. */
export const MAX_FONTS = 50;
/** In characters; longer names are cut. */
export const MAX_FAMILY = 200;

/** Accepted types, by the first bytes of a file, and their stored form. */
const signatures: readonly [bytes: string, type: FontType][] = [
  ['\0\x01\0\0', { contentType: 'font/ttf', extension: 'ttf' }],
  ['true', { contentType: 'font/ttf', extension: 'ttf' }],
  ['OTTO', { contentType: 'font/otf', extension: 'otf' }],
  ['wOF2', { contentType: 'font/woff2', extension: 'woff2' }],
];

export interface FontType {
  contentType: string;
  extension: string;
}

export function fontTypeOf(bytes: Uint8Array): FontType | undefined {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  return signatures.find(([signature]) => signature === start)?.[1];
}

/** An invalid font; the code is one of the public API. */
export class FontError extends Error {
  override readonly name = 'FontError';

  constructor(
    readonly code: 'empty' | 'invalid_font' | 'too_large',
    message: string,
  ) {
    super(message);
  }
}

/** Metadata of a font file. */
export interface FontFacts {
  family: string;
  style: string;
  /** 1 to 1000; 400 is regular, 700 is bold. */
  weight: number;
  italic: boolean;
  characters: number;
}

/** Advances that texts are measured with. */
export interface FontWidths {
  unitsPerEm: number;
  /** Characters of the font, ascending, as 32-bit little-endian numbers. */
  codePoints: Uint8Array;
  /** Their advances in units of the font, as 16-bit little-endian numbers. */
  advances: Uint8Array;
}

/** An uploaded font. It never changes: another file is another font. */
export interface Font extends FontFacts {
  id: number;
  projectId: number;
  /** Key of the object. */
  key: string;
  filename: string;
  contentType: string;
  size: number;
  /** SHA-256 of the bytes. */
  etag: string;
  userId: number;
  createdMs: number;
}
