import * as iconv from 'iconv-lite';

const ASCII: ReadonlySet<string> = new Set(
  'ascii ascii8bit usascii csascii ansix34 ansix341968 ansix341986 iso646us iso646irv isoir6 cp367 ibm367 us'.split(
    ' ',
  ),
);

/** A name as `iconv-lite` compares it. */
function simplified(charset: string): string {
  return charset.toLowerCase().replace(/:\d{4}$|[^a-z0-9]/g, '');
}

export function isAsciiName(charset: string): boolean {
  return ASCII.has(simplified(charset));
}

/** Whether a charset has all characters of a text. */
export function canEncode(charset: string, text: string): boolean {
  return iconv.decode(iconv.encode(text, charset, { addBOM: false }), charset, { stripBOM: false }) === text;
}
