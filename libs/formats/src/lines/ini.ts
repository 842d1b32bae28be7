import { trimEndOf } from '@parlance/patterns';
import { withoutBlanks } from '../core/blanks';
import { declaredCharset } from '../core/declared-charset';
import type { Edit, TextDocument } from '../core/document';
import {
  insertLines,
  keyedFormat,
  linesWithComments,
  onlyText,
  type KeyedContext,
  type KeyedParts,
  type KeyedUnit,
  type Slot,
} from '../core/keyed';
import { furtherLines, joinLines, writeLines } from './continued';
import { FormatError, type AddChange, type FileFormat } from '../format';

/** Properties of the formats with `key=value` lines. */
interface Dialect {
  id: string;
  /** Default UTF-8. */
  charset?: (bytes: Buffer) => { charset: string };
  comment: RegExp;
  separators: RegExp;
  sections: boolean;
  /** Range of the text in a raw value. */
  slot(raw: string): { from: number; to: number };
  decode(raw: string): string;
  /** `quoted`: the range is already quoted. */
  encode(text: string, document: TextDocument, quoted: boolean): string;
  /** Delimiters of the text in a new entry. */
  quote: string;
  /** Whether other lines are errors or skipped. */
  strict: boolean;
  /** Lines indented deeper than the key continue its text. */
  continued?: true;
}

function read({ document }: KeyedContext, dialect: Dialect): KeyedParts[] {
  const { text } = document;
  const found: KeyedParts[] = [];
  let section: string | undefined;
  const withLine = (lines: string, { start, end }: Slot): string => `${lines}\n${text.slice(start, end)}`;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = document.lineEnd(start);
    const line = text.slice(start, text[end - 1] === '\n' ? end - 1 : end);
    const trimmed = line.trim();
    if (trimmed === '' || dialect.comment.test(trimmed)) continue;
    const header = dialect.sections ? /^\s*\[([^\]]*)\]/.exec(line) : null;
    if (header) {
      section = header[1] as string;
      continue;
    }
    const parts = splitLine(line, dialect);
    if (!parts) {
      if (dialect.strict)
        throw document.error('expected a key, a separator and a value', start + line.length - line.trimStart().length);
      continue;
    }
    const { key, keyAt, valueAt, value } = parts;
    const { from, to } = dialect.slot(value);
    const slot: Slot = { start: start + valueAt + from, end: start + valueAt + to };
    const further = dialect.continued ? furtherLines(document, end, keyAt, dialect.comment) : [];
    const last = further.at(-1)?.start ?? start;
    const { comments, ...removal } = linesWithComments(document, start, last, (above) => dialect.comment.test(above));
    found.push({
      context: dialect.id === 'joomla' || section === undefined ? key : `[${section}]${key}`,
      target: [dialect.decode(further.reduce(withLine, value.slice(from, to)))],
      offset: start + keyAt,
      note: comments.map((comment) => comment.replace(/^(?:[;#]|\/\/)+\s*/, '')).join('\n'),
      slots: [slot],
      removal: [removal],
      ...(dialect.continued ? { write: ([target]) => writeLines(document, [slot, ...further], target as string) } : {}),
    });
    if (further.length > 0) end = document.lineEnd(last);
  }
  const first = text.search(/^[^\S\r\n\u2028\u2029]*[^\s#!;]/m);
  if (found.length === 0 && first >= 0 && !dialect.strict) throw document.error('expected a key and a text', first);
  return found;
}

function splitLine(
  line: string,
  dialect: Dialect,
): { key: string; keyAt: number; valueAt: number; value: string } | undefined {
  const at = line.search(dialect.separators);
  const key = at < 0 ? '' : line.slice(0, at).trim();
  if (key === '') return undefined;
  const { start, end } = withoutBlanks(line, at + 1, line.length);
  const value = line.slice(start, end);
  return { key, keyAt: line.length - line.trimStart().length, valueAt: value === '' ? at + 1 : start, value };
}

/** Adds keys at the end of their sections. Creates missing sections. */
function add(
  { document }: KeyedContext,
  changes: readonly AddChange[],
  units: readonly KeyedUnit[],
  dialect: Dialect,
): Edit[] {
  const groups = new Map<string, string[]>();
  const separator = separatorOf(document, units);
  for (const change of changes) {
    const match = dialect.sections && dialect.id !== 'joomla' ? /^\[([^\]]*)\]([^]*)$/.exec(change.context) : null;
    const section = match?.[1] ?? '';
    const key = match?.[2] ?? change.context;
    if (
      key.trim() !== key ||
      key === '' ||
      /[\r\n]/.test(key) ||
      dialect.separators.test(key) ||
      dialect.comment.test(key)
    ) {
      throw new FormatError('invalid-change', 'the key has characters that this format does not allow');
    }
    const text = dialect.encode(onlyText(change), document, dialect.quote !== '');
    groups.set(section, [...(groups.get(section) ?? []), `${key}${separator}${dialect.quote}${text}${dialect.quote}`]);
  }
  return [...groups].flatMap(([section, lines]) => {
    if (section === '') {
      const plain = dialect.id === 'joomla' ? units.at(-1) : units.findLast((unit) => !unit.context.startsWith('['));
      const sectioned = dialect.id !== 'joomla' && /^[ \t]*\[/m.test(document.text);
      return insertLines(document, lines, plain?.removal[0]?.end ?? (sectioned ? 0 : undefined));
    }
    const last = units.findLast((unit) => unit.context.startsWith(`[${section}]`));
    if (last) return insertLines(document, lines, last.removal[0]?.end);
    const end = endOfHeader(document.text, `[${section}]`);
    if (end !== undefined) return insertLines(document, lines, end);
    return insertLines(document, [`[${section}]`, ...lines]);
  });
}

/** End offset of a section header. */
function endOfHeader(text: string, header: string): number | undefined {
  for (let at = text.indexOf(header); at >= 0; at = text.indexOf(header, at + 1)) {
    if (text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() !== '') continue;
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end + 1;
  }
  return undefined;
}

function separatorOf(document: TextDocument, units: readonly KeyedUnit[]): string {
  const slot = units.at(-1)?.slots[0];
  const before = slot ? document.text.slice(document.lineStart(slot.start), slot.start) : '';
  const body = before.endsWith('"') ? before.slice(0, -1) : before;
  const sign = trimEndOf(body, ' \t');
  return /[=:]$/.test(sign.slice(-1)) ? body.slice(trimEndOf(sign.slice(0, -1), ' \t').length) : '=';
}

function iniFormat(dialect: Dialect): FileFormat {
  return keyedFormat({
    id: dialect.id,
    ...(dialect.charset ? { charset: dialect.charset } : {}),
    empty: () => '',
    read: (context) => read(context, dialect),
    encode: ({ document }, text, slot) => {
      const quoted = document.text[slot.start - 1] === '"' && dialect.quote === '"';
      return dialect.encode(text, document, quoted);
    },
    add: (context, changes, units) => add(context, changes, units, dialect),
  });
}

function oneLine(text: string): string {
  if (/[\r\n]/.test(text))
    throw new FormatError('unrepresentable', 'a text of several lines cannot be kept in this format');
  return text;
}

/** A blank and a semicolon start a trailing comment. */
function beforeComment(raw: string): { from: number; to: number } {
  const comment = raw.search(/[ \t];/);
  return {
    from: 0,
    to: raw.startsWith(';') ? 0 : comment < 0 ? raw.length : trimEndOf(raw.slice(0, comment), ' \t').length,
  };
}

/** Older Inno Setup files declare the code page of their bytes. */
const windowsCodePage = declaredCharset(/^[ \t]*LanguageCodePage[ \t]*=[ \t]*(\d{3,5})/im, (page) => `cp${page}`);

/** INI files as in Python's configparser. The context is `[section]key`. */
export const ini = iniFormat({
  id: 'ini',
  charset: windowsCodePage,
  comment: /^[;#]/,
  separators: /[=:]/,
  sections: true,
  slot: beforeComment,
  decode: (raw) => raw,
  encode: (text, { eol }) => joinLines(text, eol),
  quote: '',
  strict: true,
  continued: true,
});

/** Inno Setup messages: `%n` is a line feed. */
export const islu = iniFormat({
  id: 'islu',
  charset: windowsCodePage,
  comment: /^[;#]|^\/\//,
  separators: /=/,
  sections: true,
  slot: (raw) => ({ from: 0, to: raw.length }),
  decode: (raw) => raw.replaceAll('%n', '\n'),
  encode: (text) => oneLine(text.replaceAll('\n', '%n')),
  quote: '',
  strict: true,
});

/** Joomla: texts in quotes, in which a quote is `\"` or `"_QQ_"`. */
export const joomla = iniFormat({
  id: 'joomla',
  comment: /^[;#]/,
  separators: /=/,
  sections: true,
  slot(raw) {
    const match = /^"[^]*"/.exec(raw.replace(/"\s*;[^"]*$/, '"'));
    return match ? { from: 1, to: match[0].length - 1 } : { from: 0, to: raw.length };
  },
  decode: (raw) => raw.replace(/"_QQ_"|\\"|\\n/g, (part) => (part === '\\n' ? '\n' : '"')),
  encode(text, document, quoted) {
    const quote = document.text.includes('"_QQ_"') ? '"_QQ_"' : '\\"';
    const escaped = oneLine(text.replaceAll('"', quote).replaceAll('\n', '\\n'));
    return quoted ? escaped : `"${escaped}"`;
  },
  quote: '"',
  strict: true,
});

/** mi18n language files: `key = text` without escapes. */
export const mi18nLang = iniFormat({
  id: 'mi18n-lang',
  comment: /^[#!]/,
  separators: /[=:]/,
  sections: false,
  slot: (raw) => ({ from: 0, to: raw.length }),
  decode: (raw) => raw,
  encode: oneLine,
  quote: '',
  strict: false,
});
