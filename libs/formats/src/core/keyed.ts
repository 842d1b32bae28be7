import {
  FormatError,
  type AddChange,
  type CreateOptions,
  type FileFormat,
  type FileMetadata,
  type FormatUnit,
  type HeaderChange,
  type ParseOptions,
  type SetChange,
} from '../format';
import { makeUnit, textFormat, type TextFormat, type UnitParts } from './define';
import type { Edit, TextDocument } from './document';
import { checkNew, type BaseFile } from './splice-file';

/** Range of one text. */
export interface Slot {
  start: number;
  end: number;
}

/** A string whose texts are ranges of the file. */
export interface KeyedParts extends UnitParts {
  /** One per item of the target; undefined if the file does not have it yet. */
  slots: readonly (Slot | undefined)[];
  /** Ranges to delete with the string. */
  removal: readonly Slot[];
  grow?: (missing: readonly [number, string][]) => Edit[];
  mark?: (change: SetChange) => Edit[];
  /** Writes all forms at once, for formats without a range per form. */
  write?: (target: readonly string[]) => Edit[];
}

export type KeyedUnit = FormatUnit & Pick<KeyedParts, 'slots' | 'removal' | 'grow' | 'mark' | 'write'>;

export interface KeyedContext {
  document: TextDocument;
  options: ParseOptions & { monolingual: boolean };
}

/** Definition of a format of this kind. */
export interface KeyedFormat {
  id: string;
  monolingual?: boolean;
  charset?: TextFormat<KeyedUnit>['charset'];
  carriageIsText?: TextFormat<KeyedUnit>['carriageIsText'];
  empty?(options: CreateOptions): string;
  dropOnCreate?: TextFormat<KeyedUnit>['dropOnCreate'];
  /** A new language's file is a copy of the base: documents whose keys are positions. */
  copyOnCreate?: boolean;
  read(context: KeyedContext): KeyedParts[];
  /** Encodes a text for a slot. */
  encode(context: KeyedContext, text: string, slot: Slot, unit: FormatUnit): string;
  add?(
    context: KeyedContext,
    changes: readonly AddChange[],
    units: readonly KeyedUnit[],
    base: BaseFile<KeyedUnit> | undefined,
  ): Edit[];
  header?(context: KeyedContext, change: HeaderChange): Edit[];
  metadata?(context: KeyedContext): Partial<FileMetadata>;
  /** Whether two strings may have the same context. Default: only in bilingual files. */
  duplicates?: boolean;
}

export function keyedFormat(definition: KeyedFormat): FileFormat {
  return textFormat<KeyedUnit>({
    id: definition.id,
    monolingual: definition.monolingual ?? true,
    charset: definition.charset,
    carriageIsText: definition.carriageIsText,
    dropOnCreate: definition.dropOnCreate ?? false,
    copyOnCreate: definition.copyOnCreate ?? false,
    ...(definition.empty ? { empty: definition.empty.bind(definition) } : {}),
    read(document, options) {
      const context: KeyedContext = { document, options };
      const units = definition.read(context).map((parts, index): KeyedUnit => {
        const { slots, removal, grow, mark, write } = parts;
        return makeUnit(document, index, parts, { slots, removal, grow, mark, write });
      });
      const { add, header } = definition;
      return {
        units,
        metadata: definition.metadata?.(context),
        editor: {
          set: (unit, change) => setUnit(definition, context, unit, change),
          remove: (removed) => removeSpans(removed.flatMap((unit) => [...unit.removal])),
          ...(add
            ? {
                add: (changes: readonly AddChange[], base?: BaseFile<KeyedUnit>) => {
                  if (!definition.duplicates) checkNew(changes, units, options.monolingual);
                  return add.call(definition, context, changes, units, base);
                },
              }
            : {}),
          ...(header ? { header: (change: HeaderChange) => header.call(definition, context, change) } : {}),
        },
      };
    },
  });
}

function setUnit(definition: KeyedFormat, context: KeyedContext, unit: KeyedUnit, change: SetChange): Edit[] {
  if (unit.write) {
    const same =
      change.target.length === unit.target.length && change.target.every((text, i) => text === unit.target[i]);
    return same ? [] : unit.write(change.target);
  }
  const edits: Edit[] = [];
  const missing: [number, string][] = [];
  change.target.forEach((text, i) => {
    const slot = unit.slots[i];
    if (slot) {
      if (text !== unit.target[i])
        edits.push({ start: slot.start, end: slot.end, text: definition.encode(context, text, slot, unit) });
    } else if (text !== '') missing.push([i, text]);
  });
  if (missing.length > 0) {
    if (!unit.grow) throw new FormatError('invalid-change', 'the string has no such form', unit.line, unit.column);
    edits.push(...unit.grow(missing));
  }
  return [...edits, ...(unit.mark?.(change) ?? [])];
}

/** Spans may repeat and nest. Each byte is removed once. */
function removeSpans(spans: readonly Slot[]): Edit[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const edits: Edit[] = [];
  for (const { start, end } of sorted) {
    const last = edits.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else edits.push({ start, end, text: '' });
  }
  return edits;
}

/** The text of a new string without plural forms. */
export function onlyText(change: AddChange): string {
  if (change.target.length > 1) throw new FormatError('invalid-change', 'the string has no plural forms');
  return change.target[0] as string;
}

/** Inserts lines at an offset (default: the end), moved to the start of a line. They use the line end of the previous line. */
export function insertLines(document: TextDocument, lines: readonly string[], at = document.text.length): Edit[] {
  const { text } = document;
  const eol = document.eolAt(Math.max(at - 1, 0));
  const open = at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r' ? eol : '';
  // A file without a final line end keeps none.
  const body = open === '' || at < text.length ? lines.map((line) => line + eol).join('') : lines.join(eol);
  return [{ start: at, end: at, text: open + body }];
}

/**
 * The end of the comments after an entry that only a line end follows.
 * @param comment a sticky pattern
 */
export function behindEntry(document: TextDocument, end: number, comment: RegExp): number {
  const { text } = document;
  let at = end;
  for (;;) {
    while (text[at] === ' ' || text[at] === '\t') at += 1;
    comment.lastIndex = at;
    if (!comment.test(text)) return document.endsLine(at) ? at : end;
    at = comment.lastIndex;
  }
}

/** The line of an entry and the comment lines directly above. */
export function linesWithComments(
  document: TextDocument,
  start: number,
  end: number,
  isComment: (line: string) => boolean,
): Slot & { comments: string[] } {
  const { text } = document;
  let from = document.lineStart(start);
  const comments: string[] = [];
  while (from > 0) {
    const above = document.lineStart(from - 1);
    const line = text.slice(above, from).trim();
    if (line === '' || !isComment(line)) break;
    comments.push(line);
    from = above;
  }
  return { start: from, end: document.lineEnd(end), comments: comments.reverse() };
}
