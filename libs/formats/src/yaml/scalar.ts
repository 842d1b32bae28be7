import { trimEndOf } from '@parlance/patterns';
import type { YamlScalar } from './node';

/** Plain scalars that are not strings in YAML 1.1 or 1.2. */
const NOT_TEXT =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+.]?\d[\d_.,:eExXoO+-]*|[-+]?\.(?:inf|nan)|0[xob][\da-f_]+|<<|=|\d{4}-\d\d?-\d\d?.*)$/i;

/** Whether a text can be written without quotes. Conservative. */
export function isPlainSafe(text: string, flow: boolean): boolean {
  if (text === '' || NOT_TEXT.test(text)) return false;
  if (/^[\s\-?:,[\]{}#&*!|>'"%@`]|[\s:]$|:\s|\s#|[\r\n\t]/.test(text) || /^(?:---|\.\.\.)/.test(text)) return false;
  if (/[\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]/.test(text)) return false;
  // In flow style, PyYAML ends a plain text at a question mark.
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

/** Whether a text is a valid value of the type of a number or boolean. */
export function isSameKind(value: unknown, text: string): boolean {
  if (typeof value === 'number') return /^-?\d+(?:\.\d+)?$/.test(text);
  return typeof value === 'boolean' && /^(?:true|false)$/.test(text);
}

/** Encodes a single-line text in the style of another scalar; undefined if the style is impossible. */
export function writtenLike(node: Pick<YamlScalar, 'value' | 'style'> | undefined, text: string): string | undefined {
  if (node?.style === 'double') return doubleQuoted(text);
  if (node?.style === 'single') return singleQuoted(text) ?? doubleQuoted(text);
  return isSameKind(node?.value, text) ? text : undefined;
}

/**
 * Folds a scalar at single blanks.
 * @param column column where the scalar starts
 * @param indent indentation of the continuation lines
 */
export function foldLine(written: string, width: number, column: number, indent: string, eol: string): string {
  // A continuation line of a plain scalar must not start with an indicator.
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

/** A literal block with its header; undefined if the text cannot be one. Ends with a line end. */
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
