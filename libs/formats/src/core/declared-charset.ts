import { isAscii, isUtf8 } from 'node:buffer';
import * as iconv from 'iconv-lite';

/** Number of bytes that are searched for the declared charset. */
const HEAD = 4096;

/**
 * Finds the declared charset of a file. Valid UTF-8 is read as such regardless of the declaration. The declaration decides if the bytes do not.
 * @param pattern first group: the name
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
