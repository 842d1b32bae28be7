import { TextDocument } from '../core/document';
import { bcp, escapeXml } from '../convert/units';
import { FormatError, type Limits } from '../format';
import { descendants, elements, firstElement, xmlCharset, XmlTree, type XmlElement } from '../xml/tree';
import { sameLanguage } from './languages';

/** One text and one of its translations in a translation memory; language codes as in the file. */
export interface MemoryFileEntry {
  source: string;
  target: string;
  sourceLanguage: string;
  targetLanguage: string;
}

function languageOf(element: XmlElement): string {
  return element.attributes['xml:lang'] ?? element.attributes['lang'] ?? '';
}

/**
 * Reads every pair of languages of a TMX file. The source is the variant in the language of the unit, the header or the caller, else the first.
 * @throws FormatError with line and column
 */
export function readTmx(
  bytes: Buffer,
  options: { sourceLanguage?: string; limits?: Partial<Limits> } = {},
): MemoryFileEntry[] {
  const document = new TextDocument(bytes, { ...xmlCharset(bytes), limits: options.limits });
  const tree = new XmlTree(document);
  if (tree.root.local !== 'tmx') throw document.error('expected the element tmx', tree.root.start);
  const declared = firstElement(tree.root, 'header')?.attributes['srclang'];
  const entries: MemoryFileEntry[] = [];
  for (const unit of descendants(tree.root, 'tu')) {
    const variants = elements(unit, 'tuv').flatMap((variant) => {
      const text = firstElement(variant, 'seg');
      return text ? [{ language: languageOf(variant), text: tree.textOf(text) }] : [];
    });
    const wanted =
      unit.attributes['srclang'] ?? (declared === '*all*' ? undefined : declared) ?? options.sourceLanguage;
    const source = variants.find(({ language }) => sameLanguage(language, wanted)) ?? variants[0];
    for (const variant of variants) {
      if (!source || variant === source || sameLanguage(variant.language, source.language)) continue;
      entries.push({
        source: source.text,
        target: variant.text,
        sourceLanguage: source.language,
        targetLanguage: variant.language,
      });
      if (entries.length > document.limits.maxUnits)
        throw new FormatError('limit', `the file has more than ${document.limits.maxUnits} entries`);
    }
  }
  return entries;
}

/** Writes a TMX file of any length in chunks. */
export class TmxWriter {
  /** Content before the entries. */
  readonly head = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
  <header creationtool="Parlance" creationtoolversion="1" segtype="sentence" o-tmf="UTF-8" adminlang="en" srclang="*all*" datatype="PlainText"/>
  <body>
`;
  /** Content after the entries. */
  readonly tail = `  </body>
</tmx>
`;

  entry({ source, target, sourceLanguage, targetLanguage }: MemoryFileEntry): string {
    const variant = (code: string, text: string): string =>
      `      <tuv xml:lang="${escapeXml(bcp(code))}"><seg>${escapeXml(text)}</seg></tuv>\n`;
    return `    <tu srclang="${escapeXml(bcp(sourceLanguage))}">\n${variant(sourceLanguage, source)}${variant(targetLanguage, target)}    </tu>\n`;
  }
}
