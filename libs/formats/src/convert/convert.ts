import { FormatError, type FormatUnit, type PluralInfo } from '../format';
import { formatOf } from '../formats';

export interface ConvertOptions {
  language: string;
  sourceLanguage: string;
  plural?: PluralInfo;
  /** Name of the component or file, for headers. */
  name: string;
}

/** Writes units as another format. Throws FormatError `unknown-format`. */
export function convert(to: string, units: readonly FormatUnit[], options: ConvertOptions): Buffer {
  const format = formatOf(to);
  const file = format.parse(format.createTranslation(undefined, options), options);
  if (units.length === 0) throw new FormatError('invalid-change', 'there is nothing to convert');
  return file.apply(
    units.map(({ context, source, target, state, note }) => ({ op: 'add', context, source, target, state, note })),
  );
}
