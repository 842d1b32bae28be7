import { trimEndOf } from '@parlance/patterns';
import type { YamlScalar } from './node';

/** Words and numbers that a plain scalar would not be a string with, in YAML 1.1 or 1.2. */
const NOT_TEXT =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+.]?\d[\d_.,:eExXoO+-]*|[-+]?\.(?:inf|nan)|0[xob][\da-f_]+|<<|=|\d{4}-\d\d?-\d\d?.*)$/i;

/** Whether a text can stand without quotes. Rather no than a doubt. */
export function isPlainSafe(text: string, flow: boolean): boolean {
  if (text === '' || NOT_TEXT.test(text)) return false;
  if (/^[\s\-?:,[\]{}#&*!|>'"%@`]|[\s:]$|:\s|\s#|[\r\n\t]/.test(text) || /^(?:---|\.\.\.)/.test(text)) return false;
  if (/[\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]/.test(text)) return false;
  // Between brackets, PyYAML ends a text at a question mark.
  return !flow || !/[,?[\]{}]/.test(text);
}

export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007F-\u009F\u2028\u2029\uFEFF]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function singleQuoted(text: string): string | undefined {
  return /[\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]/.test(text) ? undefined : `'${text.replaceAll("'", "''")}'`;
}

/** Whether a text can stand where a number or boolean is, as one itself. */
export function isSameKind(value: unknown, text: string): boolean {
  if (typeof value === 'number') return /^-?\d+(?:\.\d+)?$/.test(text);
  return typeof value === 'boolean' && /^(?:true|false)$/.test(text);
}

/** A text of one line as another scalar is written; undefined: as the file writes texts. */
export function writtenLike(node: Pick<YamlScalar, 'value' | 'style'> | undefined, text: string): string | undefined {
  if (node?.style === 'double') return doubleQuoted(text);
  if (node?.style === 'single') return singleQuoted(text) ?? doubleQuoted(text);
  return isSameKind(node?.value, text) ? text : undefined;
}

/**
 * A scalar over several lines: broken at single blanks, each of which a line end then stands for.
 * @param column where the scalar begins
 * @param indent what the further lines begin with
 */
export function foldLine(written: string, width: number, column: number, indent: string, eol: string): string {
  // In a plain scalar a line that begins with a sign could mean something else.
  const next = /^["']/.test(written) ? /^\S/ : /^[\p{L}\p{N}]/u;
  const words = written.split(/(?<!^["'])(?<=[^\s\\]) (?=\S)(?!["']$)/);
  let line = words[0] as string;
  let used = column + line.length;
  for (const word of words.slice(1)) {
    const fits = used + 1 + word.length <= width;
    line += fits || !next.test(word) ? ` ${word}` : `${eol}${indent}${word}`;
    used = fits || !next.test(word) ? used + 1 + word.length : indent.length + word.length;
  }
  return line;
}

/** A literal block with its header, or undefined where the text cannot stand so. Ends with a line end. */
export function blockLiteral(
  text: string,
  indent: string,
  eol: string,
  header: '|' | '>',
  width?: number,
): string | undefined {
  if (
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFEFF]/.test(text) ||
    /^\s/.test(text) ||
    text.trim() === ''
  )
    return undefined;
  const body = trimEndOf(text, '\n');
  const feeds = text.length - body.length;
  const style = header === '>' && body.includes('\n') ? '|' : header;
  const chomp = feeds === 0 ? '-' : feeds === 1 ? '' : '+';
  const folded =
    width !== undefined && style === '>' ? foldLine(`"${body}`, width, indent.length - 1, '', '\n').slice(1) : body;
  const lines = folded.split('\n').map((line) => (line === '' ? '' : indent + line));
  return `${style}${chomp}${eol}${lines.join(eol)}${eol}${eol.repeat(Math.max(feeds - 1, 0))}`;
}
