import { isUtf8 } from 'node:buffer';
import * as iconv from 'iconv-lite';

/**
 * Charsets that `iconv-lite` implements as the superset of Windows or browsers. Other programs reject or misread the additional characters.
 */
interface Plain {
  names: readonly string[];
  /** Charset that decodes the common characters identically. */
  within?: string;
  /** The bytes of one character. */
  bytes?: RegExp;
  /** Characters whose bytes differ from the standard. */
  missingCharacters?: RegExp;
}

const PLAIN: readonly Plain[] = [
  {
    names: ['gb2312', 'gb231280', 'gb23121980', 'csgb2312', 'csiso58gb231280', 'euccn', 'chinese', 'isoir58'],
    bytes: /^(?:[\x00-\x7F]|(?!\xA2[\xA1-\xAA]|\xA6[\xE0-\xF5]|\xA8[\xBB-\xC0])[\xA1-\xA9\xB0-\xF7][\xA1-\xFE])$/,
    missingCharacters: /[\u00B7\u2014]/,
  },
  { names: ['gbk', 'xgbk'], within: 'cp936', missingCharacters: /\u20AC/ },
  {
    names: ['gb18030'],
    missingCharacters:
      /[\u9FB4-\u9FBB\uE78D-\uE796\uE816-\uE818\uE81E\uE826\uE82B\uE82C\uE831\uE832\uE83B\uE843\uE854\uE855\uE864\uFE10-\uFE19]/,
  },
  {
    names: ['euckr', 'cseuckr', 'korean', 'isoir149', 'ksc5601', 'ksc56011987', 'ksc56011989', 'csksc56011987'],
    bytes: /^(?:[\x00-\x7F]|[\xA1-\xFE]{2})$/,
  },
  {
    names: ['shiftjis', 'csshiftjis', 'mskanji', 'sjis', 'xsjis'],
    bytes: /^(?:[\x00-\x7F\xA1-\xDF]|[\x81-\x84\x88-\x9F\xE0-\xEA][\x40-\xFC])$/,
    missingCharacters: /[\u2225\uFF0D\uFF5E\uFFE0-\uFFE2]/,
  },
  {
    names: ['eucjp', 'xeucjp'],
    bytes: /^(?:[\x00-\x7F]|\x8E[\xA1-\xDF]|\x8F[\xA1-\xFE]{2}|[\xA1-\xA8\xB0-\xF4][\xA1-\xFE])$/,
    missingCharacters: /[\u2225\uFF0D\uFFE0-\uFFE2]/,
  },
  { names: ['big5', 'cnbig5', 'csbig5', 'xxbig5'], within: 'cp950' },
  {
    names: ['big5hkscs'],
    missingCharacters:
      /[\u00AF\u02CD\u2027\u20AC\u2215\u2295\u2299\u2400-\u241F\u2421\u2574\u4EDD\u5605\u5ED0\u5EF4\u60A4\u65E0\u732A\u7676\u96B6\uFE51\uFE68\uFF0F\uFF3C\uFF5E\uFFE0\uFFE1\uFFE3\uFFE5]/,
  },
  { names: ['macintosh', 'mac', 'csmacintosh'], missingCharacters: /[\u00A4\u2126\u2206]/ },
];

const plainOf = new Map(PLAIN.flatMap((plain) => plain.names.map((name) => [name, plain])));

const ASCII: ReadonlySet<string> = new Set(
  'ascii ascii8bit usascii csascii ansix34 ansix341968 ansix341986 iso646us iso646irv isoir6 cp367 ibm367 us'.split(
    ' ',
  ),
);

/** The name as normalized by `iconv-lite`. */
function simplified(charset: string): string {
  return charset.toLowerCase().replace(/:\d{4}$|[^a-z0-9]/g, '');
}

export function isAsciiName(charset: string): boolean {
  return ASCII.has(simplified(charset));
}

const WINDOWS_1252: ReadonlySet<string> = new Set(['windows1252', 'win1252', 'cp1252', 'xcp1252', '1252']);
/** Bytes 0x80 to 0x9F of windows-1252. The five unassigned bytes are control characters, as in browsers. */
const HIGH = [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'];
const highOf = new Map(HIGH.map((char, i) => [char, 0x80 + i]));

/** Decodes bytes. Every byte of windows-1252 maps to a character, so decoding is reversible. */
export function decodeText(bytes: Buffer, charset: string): string {
  if (!WINDOWS_1252.has(simplified(charset))) return iconv.decode(bytes, charset, { stripBOM: false });
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (char) => HIGH[char.charCodeAt(0) - 0x80] as string);
}

/** Encodes a text without byte order mark. Characters missing from the charset are replaced; see `canEncode`. */
export function encodeText(text: string, charset: string): Buffer {
  if (!WINDOWS_1252.has(simplified(charset))) return iconv.encode(text, charset, { addBOM: false });
  const codes = text.replace(/[^\x00-\x7f\xa0-\xff]/gu, (char) => String.fromCharCode(highOf.get(char) ?? 63));
  return Buffer.from(codes, 'latin1');
}

/** UTF-8 if the bytes are valid, else windows-1252; for formats without a declared charset. A byte order mark takes precedence. */
export function utf8OrWindows(bytes: Buffer): { charset: string } {
  return { charset: isUtf8(bytes) ? 'utf-8' : 'windows-1252' };
}

/** Whether a charset, named as in a file, can encode all characters of a text. */
export function canEncode(charset: string, text: string): boolean {
  const decoded = decodeText(encodeText(text, charset), charset);
  if (decoded !== text || /^utf/i.test(charset)) return decoded === text;
  if (text.includes('\uFFFD')) return false;
  const plain = plainOf.get(simplified(charset));
  return plain === undefined || isPlain(plain, charset, text);
}

/** Maximum number of characters listed in a message. */
const NAMED_CHARACTERS = 5;

/** Message that lists the characters of a text that a charset cannot encode. */
export function missingCharacters(charset: string, text: string): string {
  const missing = [...new Set(text)].filter((char) => !canEncode(charset, char));
  const named = missing.slice(0, NAMED_CHARACTERS).map((char) => {
    const code = `U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
    return /[\p{C}\p{Z}]/u.test(char) ? code : `"${char}" (${code})`;
  });
  const list = named.join(', ') + (missing.length > named.length ? ', ...' : '');
  return `the text has characters that do not exist in ${charset.toUpperCase()}: ${list}`;
}

function isPlain({ within, bytes, missingCharacters }: Plain, charset: string, text: string): boolean {
  if (missingCharacters?.test(text)) return false;
  if (within !== undefined && iconv.decode(iconv.encode(text, charset), within) !== text) return false;
  return bytes === undefined || [...text].every((char) => bytes.test(iconv.encode(char, charset).toString('latin1')));
}
