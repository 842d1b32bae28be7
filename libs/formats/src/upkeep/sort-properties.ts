import { TextDocument } from '../core/document';

const charsets: Readonly<Record<string, string>> = {
  properties: 'iso-8859-1',
  'gwt-iso': 'iso-8859-1',
  'properties-utf16': 'utf-16',
};

/** Key of a logical line; '' for comments and blank lines. */
function keyOf(line: string): string {
  const match = /^[ \t\f]*(?![#!])((?:\\[^]|[^\\\s=:])+)/.exec(line);
  return match ? match[1]!.replace(/\\(.)/g, '$1') : '';
}

/**
 * Sorts the keys of a Java properties file. Comments move with the key after them. A file header that ends with a blank line stays.
 * @throws FormatError
 */
export function sortProperties(bytes: Buffer, format: string, caseSensitive: boolean): Buffer {
  const document = new TextDocument(bytes, { charset: charsets[format] ?? 'utf-8' });
  const { eol, text } = document;
  const lines = text.split(/\r\n|\n|\r/);
  const closed = lines.at(-1) === '';
  if (closed) lines.pop();
  const blank = lines.findIndex((line) => line.trim() === '');
  const hasHead = blank > 0 && lines.slice(0, blank).every((line) => /^[ \t\f]*[#!]/.test(line));
  const head = hasHead ? lines.splice(0, blank + 1) : [];
  const blocks: { key: string; lines: string[] }[] = [];
  let waiting: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    waiting.push(line);
    const key = keyOf(line);
    if (key === '') continue;
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(lines[at]!) && at + 1 < lines.length) waiting.push(lines[++at]!);
    blocks.push({ key, lines: waiting });
    waiting = [];
  }
  const fold = (key: string): string => (caseSensitive ? key : key.toLowerCase());
  const sorted = blocks
    .map((block, place) => ({ ...block, place }))
    .sort((a, b) => {
      const [left, right] = [fold(a.key), fold(b.key)];
      return left < right ? -1 : left > right ? 1 : a.place - b.place;
    });
  const wanted = [...head, ...sorted.flatMap((block) => block.lines), ...waiting].join(eol) + (closed ? eol : '');
  return wanted === text ? bytes : document.splice([{ start: 0, end: text.length, text: wanted }]);
}
