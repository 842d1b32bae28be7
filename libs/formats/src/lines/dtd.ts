import type { Edit, TextDocument } from '../core/document';
import { behindEntry, keyedFormat, type KeyedContext, type KeyedParts } from '../core/keyed';
import { FormatError } from '../format';
import { withReferences } from '../xml/references';
import { checkedXml, xmlCharset } from '../xml/tree';

const TOKEN =
  /\s+|<!--([^]*?)-->|<!ENTITY\s+%[^>]*>|%[\w.:-]+;|<\?[^]*?\?>|<!ENTITY\s+([\w.:-]+)\s+("[^"]*"|'[^']*')\s*>|<!(?:ELEMENT|ATTLIST|NOTATION|ENTITY)\b[^>]*>/y;
const COMMENT = /<!--[^]*?-->/y;
const RAW_TAG = /<[^&]/;
const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Whether a value mixes raw and escaped markup. Its text is then the markup itself, because unescaping would conflate them. */
function isMixed(raw: string): boolean {
  return RAW_TAG.test(raw) && /&(?:lt|#0*60|#x0*3c);/i.test(raw);
}

/** Decodes predefined and numeric references. Others are kept, because they refer to entities. */
function decode(raw: string): string {
  const isMarkup = isMixed(raw);
  return raw
    .replaceAll('\r\n', '\n')
    .replace(
      /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/g,
      (whole, hex?: string, decimal?: string, name?: string) => {
        const code = hex !== undefined ? parseInt(hex, 16) : Number(decimal);
        const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        const char = name !== undefined ? PREDEFINED[name] : isCharacter ? String.fromCodePoint(code) : undefined;
        return char === undefined || (isMarkup && '<>&'.includes(char)) ? whole : char;
      },
    );
}

function encode(document: TextDocument, text: string, quote: string, old: string): string {
  let escaped = checkedXml(text);
  if (!isMixed(old)) escaped = escaped.replace(/&(?!(?!(?:amp|lt|gt|quot|apos);)[A-Za-z_][\w.:-]*;)/g, '&amp;');
  else if (/&(?!(?:[A-Za-z_][\w.:-]*|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)/.test(escaped))
    throw new FormatError('unrepresentable', 'a text with markup and escaped markup has &amp; for the sign &');
  escaped = escaped.replaceAll('%', '&#037;');
  if (!RAW_TAG.test(old)) escaped = escaped.replaceAll('<', '&lt;');
  escaped = escaped.replaceAll(quote, quote === '"' ? '&quot;' : '&apos;');
  // The end of a CDATA section is not allowed in documents that use the entity.
  escaped = escaped.replaceAll(']]>', ']]&gt;').replaceAll('\r', '&#13;').replaceAll('\n', document.eol);
  return withReferences(document, escaped);
}

function read({ document }: KeyedContext): KeyedParts[] {
  const { text } = document;
  const found: KeyedParts[] = [];
  let comment: { start: number; text: string } | undefined;
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (!token) throw document.error('expected an entity declaration or a comment', at);
    const [whole, note, name, quoted] = token;
    let end = at + whole.length;
    if (note !== undefined) comment = { start: at, text: note.trim() };
    else if (name !== undefined && quoted !== undefined) {
      const valueEnd = at + whole.lastIndexOf(quoted) + quoted.length - 1;
      const slot = { start: valueEnd - quoted.length + 2, end: valueEnd };
      const start = comment?.start ?? at;
      end = behindEntry(document, end, COMMENT);
      found.push({
        context: name,
        target: [decode(quoted.slice(1, -1))],
        offset: at,
        note: comment?.text ?? '',
        slots: [slot],
        removal: [{ start, end: document.endsLine(end) ? document.lineEnd(end) : end }],
      });
      comment = undefined;
    } else if (whole.trim() !== '' || /\n[ \t]*\r?\n/.test(whole)) comment = undefined;
    at = end;
  }
  return found;
}

/** XML entity declarations, as formerly used by Mozilla. */
export const dtd = keyedFormat({
  id: 'dtd',
  charset: xmlCharset,
  empty: () => '',
  read,
  encode({ document }, text, slot): string {
    return encode(document, text, document.text[slot.end] ?? '"', document.text.slice(slot.start, slot.end));
  },
  add({ document }, changes): Edit[] {
    const lines = changes.map((change) => {
      if (!/^[A-Za-z_][\w.:-]*$/.test(change.context))
        throw new FormatError('invalid-change', 'the name of an entity must consist of letters, digits and . - _ :');
      return `<!ENTITY ${change.context} "${encode(document, change.target[0] as string, '"', '')}">${document.eol}`;
    });
    const end = document.text.length;
    const open = end > 0 && !document.text.endsWith('\n') ? document.eol : '';
    return [{ start: end, end, text: open + lines.join('') }];
  },
});
