import { FormatError, type FileFormat } from './format';
import { goI18n, goI18nV2, gotext } from './json/go';
import { i18next, i18nextV4 } from './json/i18next';
import { arb, formatjs, json, jsonNested, webextension } from './json/plain';
import { po, poMono } from './po/po';

const implementations: readonly FileFormat[] = [
  ...[po, poMono],
  ...[json, jsonNested, webextension, i18next, i18nextV4, goI18n, goI18nV2, gotext, arb, formatjs],
];

/** Readers and writers by the format's id. */
export const formats: ReadonlyMap<string, FileFormat> = new Map(implementations.map((format) => [format.id, format]));

/** The reader and writer of a format; throws FormatError `unknown-format`. */
export function formatOf(id: string): FileFormat {
  const format = formats.get(id);
  if (!format) throw new FormatError('unknown-format', `unknown file format "${id}"`);
  return format;
}
