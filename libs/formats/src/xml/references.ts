import type { TextDocument } from '../core/document';

/** Comments, instructions, CDATA sections and tags; what lies between them is text. */
const MARKUP = /(<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|<(?=[/!:_\p{L}])(?:[^<>"']|"[^"]*"|'[^']*')*>)/u;
const CDATA = '<![CDATA[';

/** Whether a character has to stand as a reference. Browsers take references to control characters for others. */
function needsReference(document: TextDocument, char: string): boolean {
  return char > '\x9F' && !document.canEncode(char);
}

/** A text with numeric references for the characters that the document's charset lacks. */
export function withReferences(document: TextDocument, text: string): string {
  if (document.canEncode(text)) return text;
  return text.replace(/[^\x00-\x9F]/gu, (char) =>
    needsReference(document, char) ? `&#${char.codePointAt(0) as number};` : char,
  );
}

/** The same for markup: in texts and values of attributes. CDATA sections are closed around references; names and comments have none. */
export function markupWithReferences(document: TextDocument, markup: string): string {
  if (document.canEncode(markup)) return markup;
  const written = (text: string): string => withReferences(document, text);
  return mapTexts(markup, written, (section) =>
    section.replace(/[^\x00-\x9F]+/gu, (run) => written(run).replace(/(?:&#\d+;)+/g, `]]>$&${CDATA}`)),
  );
}

function mapTexts(markup: string, change: (text: string) => string, section = (text: string): string => text): string {
  const parts = markup.split(MARKUP).map((part, i) => {
    if (i % 2 === 0) return change(part);
    if (part.startsWith(CDATA)) return section(part);
    return /^<[!?]/.test(part) ? part : part.replace(/"[^"]*"|'[^']*'/g, change);
  });
  return parts.join('');
}

/** A text with the characters themselves for references to those that the document's charset lacks. */
export function withoutReferences(document: TextDocument, text: string): string {
  if (document.charset === 'utf-8' || !text.includes('&#')) return text;
  return text.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (reference, hex?: string, decimal?: string) => {
    const code = hex !== undefined ? parseInt(hex, 16) : Number(decimal);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return reference;
    const char = String.fromCodePoint(code);
    return needsReference(document, char) ? char : reference;
  });
}

/** The same for markup, the other way round than `markupWithReferences`. */
export function markupWithoutReferences(document: TextDocument, markup: string): string {
  if (document.charset === 'utf-8' || !markup.includes('&#')) return markup;
  const read = (text: string): string => withoutReferences(document, text);
  const joined = markup.replace(/\]\]>((?:&#\w+;)+)<!\[CDATA\[/g, (whole, references: string) => {
    const chars = read(references);
    return chars.includes('&') ? whole : chars;
  });
  return mapTexts(joined, read);
}
