import { FormatError, type FileFormat } from './format';
import { po, poMono } from './po/po';

const implementations: readonly FileFormat[] = [po, poMono];

/** Readers and writers by the format's id. */
export const formats: ReadonlyMap<string, FileFormat> = new Map(implementations.map((format) => [format.id, format]));

/** The reader and writer of a format; throws FormatError `unknown-format`. */
export function formatOf(id: string): FileFormat {
  const format = formats.get(id);
  if (!format) throw new FormatError('unknown-format', `unknown file format "${id}"`);
  return format;
}
