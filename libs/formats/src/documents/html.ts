import { declaredCharset } from '../core/declared-charset';
import type { TextDocument } from '../core/document';
import { keyedFormat, type KeyedParts, type Slot } from '../core/keyed';
import { markupWithoutReferences, markupWithReferences, withoutReferences, withReferences } from '../xml/references';
import { HtmlTextScanner } from './html-texts';

function isAttribute(document: TextDocument, slot: Slot): boolean {
  const before = document.text[slot.start - 1];
  return (
    (before === '"' || before === "'") &&
    document.text[slot.end] === before &&
    /=\s*$/.test(document.text.slice(Math.max(0, slot.start - 20), slot.start - 1))
  );
}

/** HTML pages: runs of text including inline tags, and visible attributes. */
export const html = keyedFormat({
  id: 'html',
  copyOnCreate: true,
  charset: declaredCharset(/<meta\b[^>]*?\bcharset\s*=\s*["']?([\w.:-]+)/i),
  read({ document }) {
    return new HtmlTextScanner(document).read().map((found, i): KeyedParts => {
      const raw = document.text.slice(found.start, found.end).replaceAll('\r\n', '\n');
      const text = found.attribute
        ? withoutReferences(document, raw).replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
        : markupWithoutReferences(document, raw);
      return {
        context: String(i + 1),
        target: [text],
        offset: found.start,
        slots: [{ start: found.start, end: found.end }],
        removal: [],
      };
    });
  },
  encode({ document }, text, slot) {
    const value = isAttribute(document, slot)
      ? withReferences(document, text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'))
      : markupWithReferences(document, text);
    return value.replaceAll('\n', document.eol);
  },
});
