import { trimEndOf } from '@parlance/patterns';
import { TextDocument } from '../core/document';
import { headerCharset } from './header';
import { inUtf8 } from './utf8';

/** Matches a comment line with an address, and the text after the address. */
function creditOf(head: string, email: string): { start: number; line: string; years: string } | undefined {
  const mark = `<${email}>`;
  for (let start = 0; start < head.length;) {
    const end = (head.indexOf('\n', start) + 1 || head.length + 1) - 1;
    const line = head.slice(start, end).replace(/\r$/, '');
    const at = line.startsWith('# ') ? line.lastIndexOf(mark) : -1;
    if (at >= 0) return { start, line, years: line.slice(at + mark.length) };
    start = end + 1;
  }
  return undefined;
}

/**
 * Credits a translator in the header comment of a gettext file, with the years of contributions: `# Name <mail>, 2025, 2026.`
 * @throws FormatError
 */
export function creditAuthor(bytes: Buffer, author: { name: string; email: string }, year: number): Buffer {
  const { charset, at } = headerCharset(bytes);
  const document = new TextDocument(bytes, { charset, charsetAt: at });
  const { text, eol } = document;
  const name = author.name.replace(/[\r\n\0<>]/g, ' ').trim();
  const email = author.email.replace(/[\s\0<>]/g, '');
  const first = /^(?!#(?:[ \t]|\r?$))/m.exec(text)?.index ?? text.length;
  const head = text.slice(0, first);
  const known = creditOf(head, email);
  if (known) {
    const { start, line } = known;
    if (known.years.split(/\W+/).includes(String(year))) return bytes;
    const wanted = `${trimEndOf(line, '., \t')}, ${year}.`;
    if (!document.canEncode(wanted)) return creditAuthor(inUtf8(document), author, year);
    return document.splice([{ start, end: start + line.length, text: wanted }]);
  }
  const line = `# ${name} <${email}>, ${year}.${eol}`;
  if (!document.canEncode(line)) return creditAuthor(inUtf8(document), author, year);
  // A final line with only `#` closes the comment.
  const closing = /(?:^|\n)#[ \t]*\r?\n$/.exec(head);
  const start = closing ? head.length - closing[0].replace(/^\n/, '').length : head.length;
  return document.splice([{ start, end: start, text: line }]);
}
