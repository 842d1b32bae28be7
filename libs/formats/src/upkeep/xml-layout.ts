import { TextDocument, type Edit } from '../core/document';
import { markupWithReferences } from '../xml/references';

/** Matches comments, CDATA and instructions to skip them, and start tags with an immediate end tag. */
const PIECE =
  /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<([^\s/<>!?]+)((?:\s+[^\s=>/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)(\s*)(?:\/>|><\/\1\s*>)/g;

const PAIRS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/**
 * Writes all empty elements of an XML file with or without a closing tag.
 * @throws FormatError
 */
export function layoutXml(bytes: Buffer, closingTags: boolean): Buffer {
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(
    bytes.subarray(0, 200).toString('latin1'),
  );
  const document = new TextDocument(bytes, declared ? { charset: declared[1]! } : {});
  for (const [open, close] of PAIRS)
    if (document.text.includes(open, document.text.lastIndexOf(close) + 1)) return bytes;
  const space = / \/>/.test(document.text) ? ' ' : '';
  const edits: Edit[] = [];
  for (const match of document.text.matchAll(PIECE)) {
    const [whole, name, attributes] = match;
    if (name === undefined || whole.endsWith('/>') !== closingTags) continue;
    const text = closingTags ? `<${name}${attributes ?? ''}></${name}>` : `<${name}${attributes ?? ''}${space}/>`;
    edits.push({ start: match.index, end: match.index + whole.length, text: markupWithReferences(document, text) });
  }
  return edits.length === 0 ? bytes : document.splice(edits);
}
