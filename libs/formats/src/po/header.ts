import { printable } from '../core/document';
import { FormatError, type PluralInfo } from '../format';

/** `Name: value` lines of a header in file order; a repeated name keeps its first value. */
export function parseHeader(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim();
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** The header text after setting fields. New fields go to the end. */
export function setHeaderFields(text: string, fields: Readonly<Record<string, string>>): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [name, value] of Object.entries(fields)) {
    const line = `${name}: ${value}`;
    const at = lines.findIndex((candidate) => candidate.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    if (at >= 0) lines[at] = line;
    else lines.push(line);
  }
  return `${lines.join('\n')}\n`;
}

/** Number of forms and formula of a `Plural-Forms` field; undefined for the placeholder of new files. */
export function parsePluralForms(field: string): PluralInfo | undefined {
  const match = /nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*([^;]+)/.exec(field);
  if (!match) return undefined;
  return { count: Number(match[1]), formula: (match[2] as string).trim() };
}

export function formatPluralForms(plural: PluralInfo): string {
  return `nplurals=${plural.count}; plural=${plural.formula};`;
}

/** Number of bytes that are searched for the header, the first entry after comments. */
const HEADER_BYTES = 256 * 1024;

/** Matches the charset declaration of the header, including the name. */
export const namedCharset = /^[ \t]*(?:msgstr[ \t]*)?"Content-Type:[^"\n]*?charset=([^\s"\\;]*)/im;

/** The charset of the header's Content-Type and its range; UTF-8 if it is missing or a placeholder. */
export function headerCharset(bytes: Buffer): { charset: string; at: { line: number; column: number } } {
  const head = bytes.subarray(0, HEADER_BYTES).toString('latin1');
  const match = namedCharset.exec(head);
  if (!match) return { charset: 'utf-8', at: { line: 1, column: 1 } };
  const charset = match[1] as string;
  const offset = match.index + match[0].length - charset.length;
  const before = head.slice(0, offset);
  const at = { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
  if (charset === 'CHARSET' || charset === '') return { charset: 'utf-8', at };
  if (/^utf-?(7|16|32)/i.test(charset)) {
    throw new FormatError(
      'charset',
      `charset "${printable(charset)}" is not possible in a PO file`,
      at.line,
      at.column,
    );
  }
  return { charset, at };
}
