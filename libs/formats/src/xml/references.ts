import type { TextDocument } from '../core/document';

/** Matches comments, instructions, CDATA sections and tags. The rest is text. */
const MARKUP = /(<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|<(?=[/!:_\p{L}])(?:[^<>"']|"[^"]*"|'[^']*')*>)/u;
const CDATA = '<![CDATA[';

/** Whether a character must be a reference. References to control characters are excluded, because browsers map them. */
function needsReference(document: TextDocument, char: string): boolean {
  return char > '\x9F' && !document.canEncode(char);
}

/** Replaces characters outside the document's charset by numeric references. */
export function withReferences(document: TextDocument, text: string): string {
  if (document.canEncode(text)) return text;
  return text.replace(/[^\x00-\x9F]/gu, (char) =>
    needsReference(document, char) ? `&#${char.codePointAt(0) as number};` : char,
  );
}

/** Like `withReferences` for markup: texts and attribute values. CDATA sections are split around references. */
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

/** Replaces references to characters outside the document's charset by the characters. */
export function withoutReferences(document: TextDocument, text: string): string {
  if (document.charset === 'utf-8' || !text.includes('&#')) return text;
  return text.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (reference, hex?: string, decimal?: string) => {
    const code = hex !== undefined ? parseInt(hex, 16) : Number(decimal);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return reference;
    const char = String.fromCodePoint(code);
    return needsReference(document, char) ? char : reference;
  });
}

/** Inverse of `markupWithReferences`. */
export function markupWithoutReferences(document: TextDocument, markup: string): string {
  if (document.charset === 'utf-8' || !markup.includes('&#')) return markup;
  const read = (text: string): string => withoutReferences(document, text);
  const joined = markup.replace(/\]\]>((?:&#\w+;)+)<!\[CDATA\[/g, (whole, references: string) => {
    const chars = read(references);
    return chars.includes('&') ? whole : chars;
  });
  return mapTexts(joined, read);
}
