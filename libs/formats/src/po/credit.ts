import { TextDocument } from '../core/document';
import { headerCharset } from './header';
import { inUtf8 } from './utf8';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Names somebody in the comment at the head of a gettext file, with the years of the contributions: `# Name <mail>, 2025, 2026.`
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
  const known = new RegExp(`^# .*<${escaped(email)}>(.*)$`, 'm').exec(head);
  if (known) {
    const line = known[0].replace(/\r$/, '');
    if (new RegExp(`\\b${year}\\b`).test(known[1] ?? '')) return bytes;
    const wanted = `${line.replace(/[.,\s]*$/, '')}, ${year}.`;
    if (!document.canEncode(wanted)) return creditAuthor(inUtf8(document), author, year);
    return document.splice([{ start: known.index, end: known.index + line.length, text: wanted }]);
  }
  const line = `# ${name} <${email}>, ${year}.${eol}`;
  if (!document.canEncode(line)) return creditAuthor(inUtf8(document), author, year);
  // A last line of a mere # closes the comment.
  const closing = /(?:^|\n)#[ \t]*\r?\n$/.exec(head);
  const start = closing ? head.length - closing[0].replace(/^\n/, '').length : head.length;
  return document.splice([{ start, end: start, text: line }]);
}
