import { TextDocument, type Edit } from '../core/document';
import { headerCharset } from './header';
import { PoScanner, type PoString } from './scan';
import { quoteLines, type WrapStyle } from './text';
import { inUtf8 } from './utf8';

/**
 * Wraps all strings of a gettext file except the header.
 * @param width columns inside the quotes; 65535: only after line feeds; -1: never
 * @throws FormatError
 */
export function rewrapPo(bytes: Buffer, width: number): Buffer {
  const { charset, at } = headerCharset(bytes);
  const document = new TextDocument(bytes, { charset, charsetAt: at });
  const style: WrapStyle = { width: width < 0 || width >= 65535 ? Infinity : width + 2, breakAtLineFeeds: width >= 0 };
  const edits: Edit[] = [];
  for (const entry of new PoScanner(document, document.limits).scan()) {
    if (entry.obsolete || (entry.id?.text === '' && !entry.context)) continue;
    for (const string of [entry.context, entry.id, entry.idPlural, ...entry.forms]) {
      const edit = string && rewrapped(document, string, style);
      if (edit) edits.push(edit);
    }
  }
  if (edits.some((edit) => !document.canEncode(edit.text))) return rewrapPo(inUtf8(document), width);
  return edits.length === 0 ? bytes : document.splice(edits);
}

function rewrapped(document: TextDocument, string: PoString, style: WrapStyle): Edit | undefined {
  const { valueStart: start, valueEnd: end, text } = string;
  const wanted = quoteLines(text, start - document.lineStart(start), style).join(document.eol);
  return document.text.slice(start, end) === wanted ? undefined : { start, end, text: wanted };
}
