import { isAscii, isUtf8 } from 'node:buffer';
import * as iconv from 'iconv-lite';

/** How far into a file its charset is looked for, in bytes. */
const HEAD = 4096;

/**
 * Finds the charset that a file names at its beginning. Bytes that are UTF-8 are read as such, whatever they say; where only what is
 * written into it later tells the two apart, the file is believed.
 * @param pattern its first group is the name
 */
export function declaredCharset(
  pattern: RegExp,
  nameOf: (found: string) => string = (found) => found,
): (bytes: Buffer) => { charset: string } {
  return (bytes) => {
    const found = pattern.exec(bytes.subarray(0, HEAD).toString('latin1'))?.[1];
    const charset = found === undefined ? 'utf-8' : nameOf(found);
    const usable = iconv.encodingExists(charset) && !/^utf-?(?:16|32)/i.test(charset);
    return { charset: usable && (isAscii(bytes) || !isUtf8(bytes)) ? charset : 'utf-8' };
  };
}
