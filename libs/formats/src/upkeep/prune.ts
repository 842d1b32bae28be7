import type { Change, FileFormat, FormatUnit, ParseOptions } from '../format';

/** How strings of a translation match those of its base. */
function keyOf(monolingual: boolean): (unit: FormatUnit) => string {
  return monolingual ? (unit) => unit.context : (unit) => `${unit.context}\0${unit.source[0] ?? ''}`;
}

function changed(format: FileFormat, bytes: Buffer, options: ParseOptions, changes: readonly Change[]): Buffer {
  return changes.length === 0 ? bytes : format.parse(bytes, options).apply(changes);
}

/** Removes strings that are not in the base file. @throws FormatError */
export function removeUnknownStrings(format: FileFormat, bytes: Buffer, base: Buffer, options: ParseOptions): Buffer {
  const key = keyOf(options.monolingual === true);
  const known = new Set(format.parse(base, { ...options, language: options.sourceLanguage }).units.map(key));
  const unknown = format.parse(bytes, options).units.filter((unit) => !known.has(key(unit)));
  return changed(
    format,
    bytes,
    options,
    unknown.map(({ index }) => ({ op: 'remove', index })),
  );
}

/** Removes the strings without a translation. @throws FormatError */
export function removeBlank(format: FileFormat, bytes: Buffer, options: ParseOptions): Buffer {
  const blank = format.parse(bytes, options).units.filter((unit) => unit.target.every((text) => text === ''));
  return changed(
    format,
    bytes,
    options,
    blank.map(({ index }) => ({ op: 'remove', index })),
  );
}

/** Adds missing keys with the base's text, and removes keys that are not in the base. @throws FormatError */
export function followBase(format: FileFormat, bytes: Buffer, base: Buffer, options: ParseOptions): Buffer {
  const pruned = removeUnknownStrings(format, bytes, base, options);
  const known = new Set(format.parse(pruned, options).units.map((unit) => unit.context));
  const missing = format
    .parse(base, { ...options, language: options.sourceLanguage })
    .units.filter((unit) => !known.has(unit.context));
  return changed(
    format,
    pruned,
    options,
    missing.map(({ context, source, target, note }) => ({
      op: 'add',
      context,
      source,
      target,
      ...(note ? { note } : {}),
    })),
  );
}
