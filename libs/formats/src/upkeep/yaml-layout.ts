import { parseAllDocuments } from 'yaml';
import { TextDocument } from '../core/document';
import { FormatError } from '../format';

/** How a YAML file is laid out. */
export interface YamlLayout {
  indent: number;
  /** Line width; 65535: unlimited. */
  width: number;
  lineBreak: 'dos' | 'unix' | 'mac';
}

const ends = { dos: '\r\n', unix: '\n', mac: '\r' } as const;

/** Reformats a YAML file. Comments are kept. @throws FormatError */
export function layoutYaml(bytes: Buffer, layout: YamlLayout): Buffer {
  const document = new TextDocument(bytes);
  const source = document.text.replace(/\r\n|\r/g, '\n');
  const parsed = parseAllDocuments(source, { keepSourceTokens: false, strict: false, uniqueKeys: false });
  const documents = Array.isArray(parsed) ? parsed : [];
  const error = documents.flatMap((d) => d.errors)[0];
  if (error) {
    const { line = 1, col = 1 } = error.linePos?.[0] ?? {};
    throw new FormatError('syntax', 'this is not YAML', line, col);
  }
  const text = documents
    .map((d) => d.toString({ indent: layout.indent, lineWidth: layout.width >= 65535 ? 0 : layout.width }))
    .join('');
  const wanted = text.replace(/\n/g, ends[layout.lineBreak]);
  return wanted === document.text ? bytes : document.splice([{ start: 0, end: document.text.length, text: wanted }]);
}
