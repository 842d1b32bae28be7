import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { FormatError, type FileFormat, type FormatFile, type FormatUnit, type ParseOptions } from '../format';
import { formatInfo } from '../registry';

/** A sample file of a format. */
export interface Sample {
  name: string;
  content: string | Buffer;
  options?: ParseOptions;
  /** Targets in file order. */
  targets?: readonly (readonly string[])[];
  /** Its strings are in structures that other files cannot create. */
  bound?: boolean;
  /** Key of a new string in this file, instead of the format's. */
  newKey?: string;
  /** Whether removing a string removes another: parts of one entry. */
  goesWith?: (removed: FormatUnit, other: FormatUnit) => boolean;
}

export const bytesOf = (content: string | Buffer): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : content;
export const targetsOf = (file: FormatFile): (readonly string[])[] => file.units.map((unit) => unit.target);

/** A text with characters that few charsets have. */
export const FOREIGN = 'žluť € 😀';

/** A file that declares ASCII, if the format can declare charsets. */
export function inAscii(bytes: Buffer, parse: (bytes: Buffer) => FormatFile): Buffer | undefined {
  const plain = bytes.toString().replace(/[^\x00-\x7F]/g, 'x');
  return [
    plain.replace(/(?<=^<\?xml[^>]*encoding="|^"Content-Type:.*charset=)[\w-]+/im, 'US-ASCII'),
    `<?xml version="1.0" encoding="US-ASCII"?>\n${plain}`,
    `<meta charset="US-ASCII">${plain}`,
  ]
    .map((variant) => Buffer.from(variant))
    .find((variant) => attempt(() => parse(variant))?.metadata.charset === 'us-ascii');
}

export const namesUtf8 = (bytes: Buffer): boolean => isUtf8(bytes) && /charset=UTF-8/.test(bytes.toString());

export const keyOf = (unit: FormatUnit): string => JSON.stringify([unit.context, unit.source]);
export const keysOf = (file: FormatFile): unknown => new Map(file.units.map((unit) => [keyOf(unit), unit.target]));

/** Whether all strings of a file are distinct. */
export function hasKeys(format: FileFormat, { content, options, bound }: Sample): boolean {
  const { units } = format.parse(bytesOf(content), options);
  return !bound && units.length > 0 && new Set(units.map(keyOf)).size === units.length;
}

/** A file with only the first strings of another. */
export function beginningOf(format: FileFormat, base: Buffer, options: ParseOptions, kept: number): Buffer {
  if (kept === 0 && formatInfo(format.id)?.newFile === 'built-in')
    return format.createTranslation(undefined, { language: 'en', ...options });
  const file = format.parse(base, options);
  return file.apply(file.units.slice(kept).map(({ index }) => ({ op: 'remove', index })));
}

/** Sets existing strings and adds the others, as a commit does. */
export function setOrAdd(file: FormatFile, wanted: readonly FormatUnit[], base?: Buffer): Buffer {
  const found = new Map(file.units.map((unit) => [keyOf(unit), unit.index]));
  return file.apply(
    wanted.map((unit) => {
      const { context, target, note, location, flags, state } = unit;
      const index = found.get(keyOf(unit));
      if (index !== undefined) return { op: 'set', index, target };
      const source = unit.plural && file.metadata.monolingual ? ['one', 'other'] : unit.source;
      return { op: 'add', context, source, target, note, location, flags, state };
    }),
    base,
  );
}

export const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...' \n\t"\'\\<>&{}[]#=:;,|%$@!-~*`/é日😀a'), maxLength: 25 }),
);

export function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 128);
}

/** The result, or undefined after a FormatError; any other error is a failure. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

export function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
