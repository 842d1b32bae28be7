import { insertLines, keyedFormat, onlyText, type KeyedParts } from '../core/keyed';
import { FormatError, type AddChange, type FileFormat } from '../format';
import type { TextDocument } from '../core/document';

const KEY = /^(\S+)-->(\S+)$/;

function times(change: AddChange): { from: string; to: string } {
  const match = KEY.exec(change.context);
  if (!match) throw new FormatError('invalid-change', 'the key of a subtitle is START-->END in the way of the file');
  return { from: match[1] as string, to: match[2] as string };
}

const SRT_TIME = /^[ \t]*(-?\d+:\d{1,2}:\d{1,2}[,.]\d{1,3})[ \t]*-->[ \t]*(-?\d+:\d{1,2}:\d{1,2}[,.]\d{1,3})[^\n]*$/;

/** SubRip: number, times, lines of text, blank line. The key is START-->END. */
export const srt = keyedFormat({
  id: 'srt',
  duplicates: true,
  read({ document }) {
    const { text } = document;
    const found: KeyedParts[] = [];
    for (let at = 0; at < text.length;) {
      const blockStart = at;
      let lineEnd = document.lineEnd(at);
      let line = text.slice(at, lineEnd).trimEnd();
      if (line.trim() === '') {
        at = lineEnd;
        continue;
      }
      const number = /^\s*\d+$/.test(line);
      if (number) {
        at = lineEnd;
        lineEnd = document.lineEnd(at);
        line = text.slice(at, lineEnd).trimEnd();
      }
      const match = SRT_TIME.exec(line);
      if (!match) throw document.error('expected the times of a subtitle', Math.min(at, text.length));
      at = lineEnd;
      const start = at;
      let end = at;
      while (at < text.length) {
        const next = document.lineEnd(at);
        const content = text.slice(at, next).replace(/\r?\n$/, '');
        if (content.trim() === '') break;
        end = at + content.length;
        at = next;
      }
      const after = text.slice(at).match(/^(?:[ \t]*\r?\n)+/)?.[0].length ?? 0;
      found.push({
        context: `${match[1] as string}-->${match[2] as string}`,
        target: [text.slice(start, end).replaceAll('\r\n', '\n')],
        offset: blockStart,
        slots: [{ start, end }],
        removal: [{ start: blockStart, end: at + after }],
      });
      at += after;
    }
    return found;
  },
  encode({ document }, text, slot) {
    if (/^[ \t]*$|\n[ \t]*(?:\n|$)|\r/.test(text) && text !== '') {
      throw new FormatError('unrepresentable', 'a subtitle cannot hold a blank line');
    }
    const open = slot.start === document.text.length && !document.text.endsWith('\n') ? document.eol : '';
    const body = text.replaceAll('\n', document.eol);
    return (
      open +
      (slot.start === slot.end &&
      document.text[slot.start] !== '\n' &&
      document.text[slot.start] !== '\r' &&
      text !== ''
        ? body + document.eol
        : body)
    );
  },
  add({ document }, changes, units) {
    const { eol, text } = document;
    const gap = text === '' || /\n[ \t]*\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol;
    const blocks = changes.map((change, i) => {
      const { from, to } = times(change);
      return `${units.length + i + 1}${eol}${from} --> ${to}${eol}${onlyText(change).replaceAll('\n', eol)}${eol}`;
    });
    return [{ start: text.length, end: text.length, text: gap + blocks.join(eol) }];
  },
});

/** MicroDVD: `{from}{to}text|second line`. */
export const sub = keyedFormat({
  id: 'sub',
  duplicates: true,
  read({ document }) {
    const { text } = document;
    const found: KeyedParts[] = [];
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = document.lineEnd(start);
      const line = text.slice(start, end).replace(/\r?\n$/, '');
      if (line.trim() === '') continue;
      const match = /^\{(\d+)\}\{(\d*)\}/.exec(line);
      if (!match) throw document.error('expected {from}{to} and a text', start);
      const from = start + match[0].length;
      found.push({
        context: `${match[1] as string}-->${match[2] as string}`,
        target: [line.slice(match[0].length).replaceAll('|', '\n')],
        offset: start,
        slots: [{ start: from, end: start + line.length }],
        removal: [{ start, end }],
      });
    }
    return found;
  },
  encode: (_, text) => text.replaceAll('\n', '|'),
  add: ({ document }, changes) =>
    insertLines(
      document,
      changes.map((change) => {
        const { from, to } = times(change);
        if (!/^\d+$/.test(from + to))
          throw new FormatError('invalid-change', 'the key of a subtitle is START-->END in frames');
        return `{${from}}{${to}}${onlyText(change).replaceAll('\n', '|')}`;
      }),
    ),
});

/** Sub Station Alpha: the `Dialogue:` lines of the section Events; `\N` is a line feed. */
function subStation(id: string): FileFormat {
  return keyedFormat({
    id,
    duplicates: true,
    read({ document }) {
      const { text } = document;
      if (!/^\s*\[Script Info\]/i.test(text)) throw document.error('expected the section Script Info', 0);
      const found: KeyedParts[] = [];
      const columns = eventColumns(document);
      for (let start = 0, end = 0; start < text.length; start = end) {
        end = document.lineEnd(start);
        const line = text.slice(start, end).replace(/\r?\n$/, '');
        const head = /^[ \t]*Dialogue:[ \t]*/i.exec(line)?.[0];
        if (head === undefined) continue;
        let at = head.length;
        const fields: string[] = [];
        for (let i = 0; i < columns.length - 1; i++) {
          const comma = line.indexOf(',', at);
          if (comma < 0) throw document.error(`expected ${columns.length} fields`, start);
          fields.push(line.slice(at, comma).trim());
          at = comma + 1;
        }
        found.push({
          context: `${fields[columns.indexOf('start')] ?? ''}-->${fields[columns.indexOf('end')] ?? ''}`,
          target: [line.slice(at).replace(/\\N/g, '\n')],
          offset: start,
          note: fields[columns.indexOf('name')] ?? '',
          slots: [{ start: start + at, end: start + line.length }],
          removal: [{ start, end }],
        });
      }
      return found;
    },
    encode: (_, text) => text.replaceAll('\n', '\\N'),
    add({ document }, changes, units) {
      const columns = eventColumns(document);
      const lines = changes.map((change) => {
        const { from, to } = times(change);
        const values = columns
          .slice(0, -1)
          .map((name) =>
            name === 'start'
              ? from
              : name === 'end'
                ? to
                : name === 'style'
                  ? 'Default'
                  : /^(?:layer|marked|margin[lrv])$/.test(name)
                    ? '0'
                    : '',
          );
        return `Dialogue: ${[...values, onlyText(change).replaceAll('\n', '\\N')].join(',')}`;
      });
      return insertLines(document, lines, units.at(-1)?.removal[0]?.end);
    },
  });
}

const DEFAULT_COLUMNS = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text'];

function eventColumns(document: TextDocument): string[] {
  const events = document.text.search(/^[ \t]*\[Events\]/im);
  const format = events < 0 ? null : /^[ \t]*Format:([^\n]*)$/im.exec(document.text.slice(events));
  return format ? (format[1] as string).split(',').map((name) => name.trim().toLowerCase()) : DEFAULT_COLUMNS;
}

export const ass = subStation('ass');
export const ssa = subStation('ssa');
