import { insertLines, keyedFormat, onlyText, type KeyedParts } from '../core/keyed';

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };

function decode(raw: string): string {
  return raw.replace(/\\([ntr"\\])/g, (_, char: string) => ESCAPES[char] as string);
}

function encode(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r')
    .replaceAll('"', '\\"');
}

/** Haiku's catalogs: a header line, then source, context, remark and translation between tabs. */
export const catkeys = keyedFormat({
  id: 'catkeys',
  monolingual: false,
  read({ document }) {
    const { text } = document;
    const found: KeyedParts[] = [];
    const first = document.lineEnd(0);
    if (!/^\d+\t[^\t\n]*\t[^\t\n]*\t\d+\s*$/.test(text.slice(0, first))) {
      throw document.error('expected a header of version, language, signature and checksum', 0);
    }
    for (let start = first, end = first; start < text.length; start = end) {
      end = document.lineEnd(start);
      const line = text.slice(start, end).replace(/\r?\n$/, '');
      if (line === '') continue;
      const fields = line.split('\t');
      if (fields.length < 4)
        throw document.error('expected source, context, remark and translation between tabs', start);
      const [source, context, remark, target] = fields as [string, string, string, string];
      const from = start + source.length + context.length + remark.length + 3;
      found.push({
        context: decode(context),
        source: [decode(source)],
        target: [decode(target)],
        offset: start,
        note: decode(remark),
        slots: [{ start: from, end: from + target.length }],
        removal: [{ start, end }],
      });
    }
    return found;
  },
  encode: (_, text) => encode(text),
  add: ({ document }, changes) =>
    insertLines(
      document,
      changes.map((change) =>
        [change.source[0] ?? '', change.context, change.note ?? '', onlyText(change)].map(encode).join('\t'),
      ),
    ),
  header({ document }, { fields }) {
    const language = fields['Language'];
    const match = /^(\d+\t)([^\t\n]*)/.exec(document.text);
    if (language === undefined || !match || /\s/.test(language)) return [];
    const start = (match[1] as string).length;
    return [{ start, end: start + (match[2] as string).length, text: language }];
  },
});
