import { isUtf8 } from 'node:buffer';
import type { Edit, TextDocument } from '../core/document';
import { insertLines, keyedFormat, type KeyedContext, type KeyedParts, type KeyedUnit, type Slot } from '../core/keyed';
import { targetCategories } from '../core/plural-categories';
import { FormatError, type AddChange, type FileFormat } from '../format';

/** A logical line of a properties file. */
export interface Property {
  key: string;
  value: string;
  keyStart: number;
  keyEnd: number;
  valueStart: number;
  valueEnd: number;
  /** First line of the comments right above. */
  commentStart: number;
  lineEnd: number;
  note: string;
}

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f' };

/** A line continuation with the indentation of the next line. */
const CONTINUATION = /\\(?:\r\n|[\r\n])[ \t\f]*/y;
/** Separator of key and value. */
const SEPARATOR = /^(?:[ \t\f]|\\(?:\r\n|[\r\n]))*(?:[=:](?:[ \t\f]|\\(?:\r\n|[\r\n]))*)?/;

function unescapeProperty(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(
    /\\(?:u([0-9a-fA-F]{4})|(\r\n|[\r\n])[ \t\f]*|([^]))/g,
    (_, hex?: string, feed?: string, char?: string) => {
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      return feed !== undefined ? '' : (SIMPLE[char as string] ?? (char as string));
    },
  );
}

/** `ascii` writes everything else as `\uXXXX`. */
export function escapeProperty(text: string, ascii: (char: string) => boolean, key: boolean): string {
  let escaped = text.replace(/[\\\u0000-\u001F\u007F-\uFFFF]/g, (char) => {
    if (char === '\\') return '\\\\';
    const simple = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\f': '\\f' }[char];
    if (simple !== undefined) return simple;
    const code = char.charCodeAt(0);
    return code < 0x20 || (code >= 0x7f && ascii(char)) ? `\\u${code.toString(16).padStart(4, '0')}` : char;
  });
  if (key) escaped = escaped.replace(/[ =:#!]/g, '\\$&');
  return escaped.replace(/^ /, '\\ ');
}

/** Splits a file into logical lines. Skips blank and comment lines. */
export function readProperties(document: TextDocument, from = 0, to = document.text.length): Property[] {
  const { text } = document;
  const found: Property[] = [];
  let comments: string[] = [];
  let commentStart = -1;
  for (let at = from; at < to;) {
    const start = at;
    while (at < to && /[ \t\f]/.test(text[at] as string)) at += 1;
    const first = text[at];
    const physicalEnd = endOfLine(text, at, to);
    if (at >= to || first === '\n' || first === '\r') {
      comments = [];
      commentStart = -1;
      at = afterBreak(text, physicalEnd, to);
      continue;
    }
    if (first === '#' || first === '!') {
      if (commentStart < 0) commentStart = start;
      comments.push(text.slice(at + 1, physicalEnd).trim());
      at = afterBreak(text, physicalEnd, to);
      continue;
    }
    const end = logicalEnd(text, at, to);
    const keyEnd = endOfKey(text, at, end);
    const separator = SEPARATOR.exec(text.slice(keyEnd, Math.min(end, keyEnd + 2000)))?.[0] ?? '';
    const valueStart = Math.min(keyEnd + separator.length, end);
    found.push({
      key: unescapeProperty(text.slice(at, keyEnd)),
      value: unescapeProperty(text.slice(valueStart, end)),
      keyStart: at,
      keyEnd,
      valueStart,
      valueEnd: end,
      commentStart: commentStart < 0 ? start : commentStart,
      lineEnd: afterBreak(text, end, to),
      note: comments.join('\n'),
    });
    comments = [];
    commentStart = -1;
    at = afterBreak(text, end, to);
  }
  return found;
}

function endOfLine(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

function afterBreak(text: string, end: number, to: number): number {
  if (end >= to) return to;
  return text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1;
}

/** An odd number of backslashes before the line end continues the line. */
function logicalEnd(text: string, start: number, to: number): number {
  let at = start;
  for (;;) {
    const end = endOfLine(text, at, to);
    let slashes = 0;
    while (end - 1 - slashes >= at && text[end - 1 - slashes] === '\\') slashes += 1;
    if (end >= to || slashes % 2 === 0) return end;
    at = afterBreak(text, end, to);
  }
}

function endOfKey(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && !/[=: \t\f]/.test(text[at] as string)) {
    if (text[at] !== '\\') {
      at += 1;
      continue;
    }
    CONTINUATION.lastIndex = at;
    at = CONTINUATION.test(text) ? CONTINUATION.lastIndex : at + 2;
  }
  return Math.min(at, end);
}

/** Whether a character must be escaped, because the file escapes all of its kind or its charset does not contain it. */
function escapeRule(document: TextDocument, plainByDefault: boolean): (char: string) => boolean {
  const hasRaw = /[^\x00-\x7F]/.test(document.text);
  const hasEscapes = /\\u[0-9a-fA-F]{4}/.test(document.text);
  const escapeAll = !hasRaw && (hasEscapes || !plainByDefault);
  return (char) =>
    escapeAll ||
    (document.charset !== 'utf-8' && !/[\uD800-\uDFFF]/.test(char) && !document.canEncode(char)) ||
    (/[\uD800-\uDFFF]/.test(char) && document.charset !== 'utf-8' && !document.charset.startsWith('utf-16'));
}

interface Flavour {
  id: string;
  charset: 'utf-8' | 'utf-16' | 'iso-8859-1';
  /** GWT: `key[one]` beside `key`. */
  plurals?: boolean;
  canAdd?: boolean;
}

/** As in Java 9 and later: UTF-8 if the bytes are valid, else ISO-8859-1. */
function isoOrUtf8(bytes: Buffer): { charset: string } {
  return { charset: isUtf8(bytes) ? 'utf-8' : 'iso-8859-1' };
}

function read(
  { document, options }: KeyedContext,
  flavour: Flavour,
  rule: () => (char: string) => boolean,
): KeyedParts[] {
  const properties = readProperties(document);
  if (!flavour.plurals) return properties.map((property) => single(property));
  const groups = new Map<string, Property[]>();
  for (const property of properties) {
    const base = /^(.+)\[[\w=|]+\]$/.exec(property.key)?.[1] ?? property.key;
    const group = groups.get(base);
    if (group) group.push(property);
    else groups.set(base, [property]);
  }
  return [...groups].map(([base, members]) => {
    if (members.length === 1 && members[0]?.key === base) return single(members[0]);
    const forms = members.map((property) => ({
      property,
      category: /\[([\w=|]+)\]$/.exec(property.key)?.[1] ?? 'other',
    }));
    const names = options.plural?.names;
    const ordered = names ? names.map((name) => forms.find((form) => form.category === name)) : forms;
    const first = members[0] as Property;
    return {
      context: base,
      target: ordered.map((form) => form?.property.value ?? ''),
      plural: true,
      offset: first.keyStart,
      note: first.note,
      slots: ordered.map((form) => form && { start: form.property.valueStart, end: form.property.valueEnd }),
      removal: members.map(({ commentStart, lineEnd }) => ({ start: commentStart, end: lineEnd })),
      grow: (missing): Edit[] => {
        const categories = targetCategories(Math.max(...missing.map(([i]) => i)) + 1, forms, options.plural);
        const lines = missing.map(([i, text]) => {
          const suffix = categories[i] === 'other' ? '' : `[${categories[i] as string}]`;
          return `${escapeProperty(base, rule(), true)}${suffix}=${escapeProperty(text, rule(), false)}`;
        });
        return insertLines(document, lines, (members.at(-1) as Property).lineEnd);
      },
    };
  });
}

function single(property: Property): KeyedParts {
  return {
    context: property.key,
    target: [property.value],
    offset: property.keyStart,
    note: property.note,
    slots: [{ start: property.valueStart, end: property.valueEnd }],
    removal: [{ start: property.commentStart, end: property.lineEnd }],
  };
}

/** The separator that the file uses. */
function separatorOf(document: TextDocument, units: readonly KeyedUnit[]): string {
  const property = units.at(-1) && readProperties(document).at(-1);
  const between = property ? document.text.slice(property.keyEnd, property.valueStart) : '';
  return /^[ \t]*[=:][ \t]*$/.test(between) ? between : '=';
}

function add(
  context: KeyedContext,
  changes: readonly AddChange[],
  units: readonly KeyedUnit[],
  flavour: Flavour,
  ascii: (char: string) => boolean,
): Edit[] {
  const { document, options } = context;
  const separator = separatorOf(document, units);
  const lines = changes.flatMap((change) => {
    const key = escapeProperty(change.context, ascii, true);
    const notes = change.note ? change.note.split('\n').map((line) => `# ${escapeProperty(line, ascii, false)}`) : [];
    if (change.target.length > 1 && !flavour.plurals)
      throw new FormatError('invalid-change', 'the string has no plural forms');
    const categories =
      change.target.length > 1 ? targetCategories(change.target.length, [], options.plural) : ['other'];
    const texts = change.target.map((text, i) => {
      const suffix = categories[i] === 'other' ? '' : `[${categories[i] as string}]`;
      return `${key}${suffix}${separator}${escapeProperty(text, ascii, false)}`;
    });
    return [...notes, ...texts];
  });
  return insertLines(document, lines);
}

/** The slot excludes trailing blanks of a last value without line end, so they are kept. */
export function propertiesFormat(flavour: Flavour): FileFormat {
  const { id, charset } = flavour;
  const rules = new WeakMap<TextDocument, (char: string) => boolean>();
  const ruleOf = (document: TextDocument): ((char: string) => boolean) => {
    const known = rules.get(document) ?? escapeRule(document, charset !== 'iso-8859-1');
    rules.set(document, known);
    return known;
  };
  return keyedFormat({
    id,
    charset: charset === 'iso-8859-1' ? isoOrUtf8 : charset === 'utf-16' ? utf16Charset : charset,
    empty: () => '',
    read: (context) => read(context, flavour, () => ruleOf(context.document)),
    encode: ({ document }, text, slot: Slot) => {
      const value = escapeProperty(text, ruleOf(document), false);
      // A key without a separator gets one before its first text.
      const needsSeparator = slot.start === slot.end && /[\w\]]/.test(document.text[slot.start - 1] ?? '');
      return needsSeparator ? `=${value}` : value;
    },
    ...(flavour.canAdd === false
      ? {}
      : { add: (context, changes, units) => add(context, changes, units, flavour, ruleOf(context.document)) }),
  });
}

/** UTF-16 without byte order mark is detected by zero bytes. */
export function utf16Charset(bytes: Buffer): { charset: string } {
  if (bytes.length >= 2 && bytes[0] === 0) return { charset: 'utf-16be' };
  if (bytes.length >= 2 && bytes[1] === 0) return { charset: 'utf-16le' };
  return { charset: 'utf-8' };
}

export const properties = propertiesFormat({ id: 'properties', charset: 'iso-8859-1' });
export const propertiesUtf8 = propertiesFormat({ id: 'properties-utf8', charset: 'utf-8' });
export const propertiesUtf16 = propertiesFormat({ id: 'properties-utf16', charset: 'utf-16' });
export const gwt = propertiesFormat({ id: 'gwt', charset: 'utf-8', plurals: true });
export const gwtIso = propertiesFormat({ id: 'gwt-iso', charset: 'iso-8859-1', plurals: true });
