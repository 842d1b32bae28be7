import { ownRegExp, trimEndOf, trimOf } from '@parlance/patterns';
import { FluentParser, Junk, Message, Term, type Entry } from '@fluent/syntax';
import { TextDocument } from '../core/document';
import { insertLines, keyedFormat, onlyText, type KeyedParts, type Slot } from '../core/keyed';
import { FormatError, type CreateOptions, type FileFormat } from '../format';

const BLANK = '{ "" }';

const NO_ENTRY = 'expected a message or a term';

/** Nesting limit of the recursive parser. */
const MAX_RUN = 200;
const NESTED = ownRegExp(`(?:\\{\\s*){${MAX_RUN}}`);

/** The value after the equals sign without the common indentation. Only U+0020 is a blank in Fluent. */
function decode(raw: string): string {
  const lines = raw
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => withoutEnd(line, ' '));
  const inline = (lines.shift() as string).replace(/^ +/, '');
  const indent = lines.reduce((least, line) => (line === '' ? least : Math.min(least, line.search(/[^ ]/))), 1000);
  const rest = lines.map((line) => line.slice(indent));
  if (inline === '') return blank(trimOf(rest.join('\n'), '\n'));
  return blank(trimEndOf([inline, ...rest].join('\n'), '\n'));
}

/** The text without trailing blanks. */
function withoutEnd(text: string, blanks = ' \r\n'): string {
  let end = text.length;
  while (end > 0 && blanks.includes(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}

function blank(text: string): string {
  return text === BLANK || text === '{""}' ? '' : text;
}

/** Range after the equals sign to the end of the pattern and attributes. */
function valueSlot({ text }: TextDocument, entry: FluentEntry): Slot {
  const start = text.indexOf('=', entry.keyEnd) + 1;
  return { start, end: start + withoutEnd(text.slice(start, entry.end)).length };
}

function encode(document: TextDocument, text: string, old: string): string {
  if (text === '') return ` ${BLANK}`;
  if (/^[ \n]|[ \n]$|\r(?:\n|$)/.test(text))
    throw new FormatError('unrepresentable', 'blanks around a text of this format mean nothing');
  const lines = text.split('\n');
  const indent = /\n( +)\S/.exec(old)?.[1] ?? '    ';
  const block = /^ *\r?\n/.test(old) ? lines.length > 1 : lines[0]?.startsWith('.');
  const body = lines.slice(block ? 0 : 1).map((line) => (line === '' ? '' : indent + line));
  const head = block ? '' : ` ${lines[0] as string}`;
  return [head, ...body].join(document.eol);
}

/** Mozilla's Fluent: a message or term with its attributes is one string. Junk is kept. */
const format = keyedFormat({
  id: 'fluent',
  carriageIsText: true,
  dropOnCreate: true,
  empty: () => '',
  read({ document }) {
    const { text } = document;
    const run = NESTED.exec(text);
    if (run) throw document.error(`more than ${MAX_RUN} nested placeables`, run.index, 'limit');
    const found: KeyedParts[] = [];
    for (const entry of readEntries(document).entries) {
      const slot = valueSlot(document, entry);
      const { key, start, note } = entry;
      const offset = text.startsWith('#', start) ? entry.keyStart : start;
      const removal = [{ start, end: document.lineEnd(slot.end) }];
      const target = [decode(text.slice(slot.start, slot.end))];
      found.push({ context: key, target, offset, note, slots: [slot], removal });
    }
    return found;
  },
  encode: ({ document }, text, slot) => encode(document, text, document.text.slice(slot.start, slot.end)),
  add({ document }, changes) {
    const lines = changes.flatMap((change) => {
      if (!/^-?[A-Za-z][\w-]*$/.test(change.context))
        throw new FormatError('invalid-change', 'an identifier must consist of letters, digits, - and _');
      const notes = change.note ? change.note.split('\n').map((line) => `# ${line}`.trimEnd()) : [];
      return [...notes, `${change.context} =${encode(document, onlyText(change), '')}`];
    });
    return insertLines(document, lines);
  },
});

export const fluent: FileFormat = {
  ...format,
  // The remainder of a base must be a valid file even if it had only messages and junk.
  createTranslation: (base, options) => format.createTranslation(base && withoutJunk(base, options), options),
};

function withoutJunk(base: Buffer, { limits }: CreateOptions): Buffer {
  format.parse(base, { limits });
  const document = new TextDocument(base, { carriageIsText: true, limits });
  if (!readEntries(document).mistakes) return base;
  const spans = body(document, document.text, 0).flatMap((entry) => (entry instanceof Junk ? (entry.span ?? []) : []));
  return document.splice(spans.map(({ start, end }) => ({ start, end, text: '' })));
}

/** Fast path: a single-line message whose placeables are variables, terms or messages. */
const PLAIN =
  /^([A-Za-z][\w-]*) *=[ ]*(?:[^ \r\n{}]|\{ *[$-]?[A-Za-z][\w-]* *\})(?:[^\r\n{}]|\{ *[$-]?[A-Za-z][\w-]* *\})*$/;
/** Start of a message or term. */
const HEAD = /-?[A-Za-z][\w-]* *=/y;

const parser = new FluentParser({ withSpans: true });

interface FluentEntry {
  /** With the dash of a term. */
  key: string;
  start: number;
  /** Offsets of the identifier and after it. */
  keyStart: number;
  keyEnd: number;
  end: number;
  note: string;
}

/**
 * The messages and terms of a file. Entries start at line starts, so each is parsed alone: simple ones by a pattern, others by the
 * library. After an error, the library parses the whole file, because only it knows the extent of junk.
 */
function readEntries(document: TextDocument): { entries: FluentEntry[]; mistakes: boolean } {
  const { text } = document;
  const found: FluentEntry[] = [];
  const starts = entryStarts(text);
  const first = text.search(/\S/);
  if (starts.length === 0 && first >= 0) throw document.error(NO_ENTRY, first);
  let chunk = -1;
  let junk: number | undefined;
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] as number;
    const end = starts[i + 1] ?? text.length;
    if (chunk < 0) chunk = start;
    // Comments belong to the entry after them.
    if (text[start] === '#' && i + 1 < starts.length && !/\n[ \r]*\n/.test(text.slice(start, end))) continue;
    HEAD.lastIndex = start;
    if (text[start] !== '#' && !HEAD.test(text)) {
      // Junk extends to the next line that can start an entry.
      chunk = -1;
      junk ??= start;
      continue;
    }
    const raw = text.slice(chunk, end);
    const line = withoutEnd(raw);
    const plain = chunk === start ? PLAIN.exec(line) : null;
    if (plain) {
      const key = plain[1] as string;
      found.push({ key, start, keyStart: start, keyEnd: start + key.length, end: start + line.length, note: '' });
    } else {
      const entries = parse(document, raw, chunk);
      if (!entries) return { entries: besidesJunk(document), mistakes: true };
      for (const entry of entries) found.push(entry);
    }
    chunk = -1;
  }
  if (junk !== undefined && found.length === 0) throw document.error(NO_ENTRY, junk);
  return { entries: found, mistakes: junk !== undefined || first < (starts[0] ?? 0) };
}

/** Starts of the lines that can begin a message, a term or a comment. */
function entryStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const letter = code | 32;
    if ((letter >= 97 && letter <= 122) || code === 35 || code === 45) starts.push(at);
    const feed = text.indexOf('\n', at);
    at = feed < 0 ? text.length : feed + 1;
  }
  return starts;
}

/** Entries of a file with junk. A file with only junk is not Fluent. */
function besidesJunk(document: TextDocument): FluentEntry[] {
  const found = parse(document, document.text, 0, true) ?? [];
  if (found.length === 0) throw document.error(NO_ENTRY, document.text.search(/^[^\s#]/m));
  return found;
}

/** Entries of an excerpt at an offset; undefined if it has junk, unless junk is allowed. */
function parse(document: TextDocument, piece: string, at: number, junk = false): FluentEntry[] | undefined {
  const found: FluentEntry[] = [];
  for (const entry of body(document, piece, at)) {
    if (entry instanceof Junk && !junk) return undefined;
    if (!(entry instanceof Message || entry instanceof Term) || !entry.span || !entry.id.span) continue;
    found.push({
      key: entry instanceof Term ? `-${entry.id.name}` : entry.id.name,
      start: at + entry.span.start,
      keyStart: at + entry.id.span.start,
      keyEnd: at + entry.id.span.end,
      end: at + entry.span.end,
      note: entry.comment?.content ?? '',
    });
  }
  return found;
}

function body(document: TextDocument, piece: string, at: number): Entry[] {
  const { stackTraceLimit } = Error;
  try {
    // The library creates an Error per junk entry. Capturing its stack would dominate the run time.
    Error.stackTraceLimit = 0;
    return parser.parse(piece).body;
  } catch (error) {
    if (error instanceof RangeError) throw document.error('too many nested levels', at, 'limit');
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
