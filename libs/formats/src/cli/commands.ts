import { readFileSync, writeFileSync } from 'node:fs';
import type { FormatFile, FormatUnit, ParseOptions } from '../format';
import { sameTexts } from '../core/same-texts';
import { FormatError } from '../format';
import { formatOf } from '../formats';
import { blankIsUnit } from '../registry';

/** Output of one string. */
export interface ListedUnit {
  context: string;
  source: readonly string[];
  target: readonly string[];
  readonly?: true;
  state: string;
  plural?: true;
  note?: string;
  comment?: string;
  location?: string;
  flags?: readonly string[];
  previousSource?: string;
  line: number;
  column: number;
}

/** Input of a change; `{}` writes the file without a change. */
export interface EditRequest {
  index?: number;
  context?: string;
  source?: readonly string[];
  target?: readonly string[];
}

/** The strings to translate: all except final empty values. */
function countedUnits(file: FormatFile): readonly FormatUnit[] {
  if (!file.metadata.monolingual || blankIsUnit(file.format)) return file.units;
  return file.units.filter((unit) => unit.target.some((form) => form !== ''));
}

export function listUnits(file: FormatFile): ListedUnit[] {
  return countedUnits(file).map((unit) => ({
    context: unit.context,
    source: unit.source,
    target: unit.target,
    ...(unit.state === 'readonly' ? { readonly: true as const } : {}),
    state: unit.state,
    ...(unit.plural ? { plural: true as const } : {}),
    ...(unit.note ? { note: unit.note } : {}),
    ...(unit.comment ? { comment: unit.comment } : {}),
    ...(unit.location ? { location: unit.location } : {}),
    ...(unit.flags.length > 0 ? { flags: unit.flags } : {}),
    ...(unit.previousSource ? { previousSource: unit.previousSource } : {}),
    line: unit.line,
    column: unit.column,
  }));
}

export function open(format: string, file: string, options: ParseOptions): FormatFile {
  const reader = formatOf(format);
  return reader.parse(readFileSync(file), options);
}

/** Writes the file in place with one string changed. */
export function edit(format: string, file: string, options: ParseOptions, request: EditRequest): void {
  const opened = open(format, file, options);
  if (Object.keys(request).length === 0) {
    writeFileSync(file, opened.apply([]));
    return;
  }
  const unit = countedUnits(opened)[request.index ?? -1];
  if (!unit) throw new FormatError('unknown-unit', `there is no string number ${String(request.index)} in the file`);
  if (!request.target) throw new FormatError('invalid-change', 'target must be a list of strings');
  if (request.context !== undefined && request.context !== unit.context) {
    throw new FormatError('invalid-change', 'the string has another context', unit.line, unit.column);
  }
  if (request.source !== undefined && !sameTexts(request.source, unit.source)) {
    throw new FormatError('invalid-change', 'the string has another source', unit.line, unit.column);
  }
  writeFileSync(file, opened.apply([{ op: 'set', index: unit.index, target: request.target }]));
}

/** Index of the string with a context and source. */
export function findUnit(file: FormatFile, context: string | undefined, source: string | undefined): number {
  const matches = (unit: FormatUnit): boolean =>
    (context === undefined || unit.context === context) && (source === undefined || unit.source[0] === source);
  const units = countedUnits(file);
  const at = units.findIndex(matches);
  if (at < 0) throw new FormatError('unknown-unit', 'there is no string with this context and source in the file');
  if (units.findLastIndex(matches) !== at)
    throw new FormatError('unknown-unit', 'several strings have this context and source');
  return at;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/**
 * Validates an external change.
 * @throws FormatError `invalid-change` that names the field
 */
export function toEditRequest(value: unknown): EditRequest {
  const refuse = (message: string): FormatError => new FormatError('invalid-change', message);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('a change is a JSON object');
  const { index, context, source, target } = value as Record<string, unknown>;
  if (Object.keys(value).length === 0) return {};
  if (!Number.isSafeInteger(index) || (index as number) < 0)
    throw refuse('index must be the number of a string, from 0');
  if (context !== undefined && typeof context !== 'string') throw refuse('context must be a string');
  if (source !== undefined && !isTexts(source)) throw refuse('source must be a list of strings');
  if (!isTexts(target)) throw refuse('target must be a list of strings');
  return {
    index: index as number,
    target,
    ...(context === undefined ? {} : { context }),
    ...(source === undefined ? {} : { source }),
  };
}
