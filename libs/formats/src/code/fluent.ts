import { FluentParser, Message, Term } from '@fluent/syntax';
import type { TextDocument } from '../core/document';
import { insertLines, keyedFormat, onlyText, type KeyedParts, type Slot } from '../core/keyed';
import { FormatError } from '../format';

const BLANK = '{ "" }';

/** Nested placeables that the parser itself survives. */
const MAX_RUN = 200;

/** What stands behind the equals sign, without the indentation that all its further lines share. */
function decode(raw: string): string {
  const lines = raw.replaceAll('\r\n', '\n').split('\n');
  const inline = (lines.shift() as string).trim();
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents, 1000);
  const rest = lines.map((line) => line.slice(indent).trimEnd());
  if (inline === '') return blank(rest.join('\n').replace(/^\n+|\n+$/g, ''));
  return blank([inline, ...rest].join('\n').replace(/\n+$/, ''));
}

function blank(text: string): string {
  return text === BLANK || text === '{""}' ? '' : text;
}

/** From behind the equals sign to the end of an entry's pattern and attributes. */
function valueSlot(document: TextDocument, entry: Message | Term): Slot {
  const { text } = document;
  const start = text.indexOf('=', entry.id.span?.end ?? 0) + 1;
  let end = entry.span?.end ?? start;
  while (end > start && /\s/.test(text[end - 1] as string)) end -= 1;
  return { start, end };
}

function encode(document: TextDocument, text: string, old: string): string {
  if (text === '') return ` ${BLANK}`;
  if (/^[ \t]|[ \t]$|^\n|\n$|\r/.test(text))
    throw new FormatError('unrepresentable', 'blanks around a text of this format mean nothing');
  const lines = text.split('\n');
  const indent = /\n( +)\S/.exec(old)?.[1] ?? '    ';
  const block = /^[ \t]*\r?\n/.test(old) ? lines.length > 1 : lines[0]?.startsWith('.');
  const body = lines.slice(block ? 0 : 1).map((line) => (line === '' ? '' : indent + line));
  const head = block ? '' : ` ${lines[0] as string}`;
  return [head, ...body].join(document.eol);
}

/** Mozilla's Fluent: a message or term with its attributes is one string. Junk stays as it is. */
export const fluent = keyedFormat({
  id: 'fluent',
  dropOnCreate: true,
  empty: () => '',
  read({ document }) {
    const { text } = document;
    const run = new RegExp(`(?:\\{\\s*){${MAX_RUN}}`).exec(text);
    if (run) throw document.error(`more than ${MAX_RUN} nested placeables`, run.index, 'limit');
    const found: KeyedParts[] = [];
    for (const entry of parse(document)) {
      if (!(entry instanceof Message || entry instanceof Term) || !entry.span) continue;
      const slot = valueSlot(document, entry);
      const key = entry instanceof Term ? `-${entry.id.name}` : entry.id.name;
      const { start } = entry.span;
      const offset = text.startsWith('#', start) ? (entry.id.span?.start ?? start) : start;
      const removal = [{ start, end: document.lineEnd(slot.end) }];
      const target = [decode(text.slice(slot.start, slot.end))];
      found.push({ context: key, target, offset, note: entry.comment?.content ?? '', slots: [slot], removal });
    }
    return found;
  },
  encode: ({ document }, text, slot) => encode(document, text, document.text.slice(slot.start, slot.end)),
  add({ document }, changes) {
    const lines = changes.flatMap((change) => {
      if (!/^-?[A-Za-z][\w-]*$/.test(change.context))
        throw new FormatError('invalid-change', 'an identifier holds only letters, digits, - and _');
      const notes = change.note ? change.note.split('\n').map((line) => `# ${line}`.trimEnd()) : [];
      return [...notes, `${change.context} =${encode(document, onlyText(change), '')}`];
    });
    return insertLines(document, lines);
  },
});

function parse(document: TextDocument) {
  try {
    return new FluentParser({ withSpans: true }).parse(document.text).body;
  } catch (error) {
    if (error instanceof RangeError) throw document.error('too many nested levels', 0, 'limit');
    throw error;
  }
}
