import { TextDocument } from '../core/document';
import { headerCharset } from './header';
import { writeMo } from './mo';
import { PoScanner } from './scan';

/**
 * Compiles a gettext file to a catalog in UTF-8.
 * @param fuzzy include strings that need editing
 * @throws FormatError
 */
export function compilePo(bytes: Buffer, fuzzy: boolean): Buffer {
  const { charset, at } = headerCharset(bytes);
  const document = new TextDocument(bytes, { charset, charsetAt: at });
  const seen = new Set<string>();
  const entries = new PoScanner(document, document.limits).scan().flatMap((entry) => {
    if (entry.obsolete || !entry.id) return [];
    const header = entry.id.text === '' && !entry.context;
    const marked = entry.flagLines?.some((line) => line.flags.includes('fuzzy')) ?? false;
    if (!header && ((marked && !fuzzy) || entry.forms.some((form) => form.text === ''))) return [];
    const ids = [entry.id.text, ...(entry.idPlural ? [entry.idPlural.text] : [])].join('\0');
    const key = (entry.context ? `${entry.context.text}\x04` : '') + ids;
    if (seen.has(key)) return [];
    seen.add(key);
    const text = entry.forms.map((form) => form.text).join('\0');
    const inUtf8 = header ? text.replace(/(^|\n)(Content-Type:[^\n]*charset=)[^\s;]*/i, '$1$2UTF-8') : text;
    return [{ id: Buffer.from(key), text: Buffer.from(inUtf8) }];
  });
  return writeMo(entries);
}
