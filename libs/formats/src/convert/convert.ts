import { FormatError, type AddChange } from '../format';
import { formatOf } from '../formats';
import { toTbx, toTmx, toXliff, toXliff11 } from './exchange';
import { toMo, toPo } from './gettext';
import { toCsv, toCsvMulti, toXlsx } from './tables';
import type { Converter, ConvertOptions, ConvertUnit } from './units';

export type { ConvertOptions, ConvertUnit } from './units';

/** When a download in a format is offered. */
export type Availability = 'always' | 'gettext' | 'multivalue' | 'template';

/** A row of the table of download formats. */
export interface ConverterInfo {
  /** The value of `?format=`. */
  readonly id: string;
  readonly extension: string;
  readonly mediaType: string;
  readonly available: Availability;
}

/** Keys with texts, written by the format itself. Only the first of two strings with one key is kept. */
function keyed(id: string): Converter {
  return (units, { language, sourceLanguage, plural }) => {
    const format = formatOf(id);
    const options = { language, sourceLanguage, ...(plural ? { plural } : {}), monolingual: true };
    const seen = new Set<string>();
    const adds = units.flatMap((unit): AddChange[] => {
      if (unit.context === '' || unit.target.every((text) => text === '') || seen.has(unit.context)) return [];
      seen.add(unit.context);
      const info = unit.note ? { note: unit.note } : {};
      const target = id === 'aresource' ? unit.target : unit.target.slice(-1);
      return [
        { op: 'add', context: unit.context, source: target.length > 1 ? unit.source : [unit.context], target, ...info },
      ];
    });
    const empty = format.createTranslation(undefined, options);
    return adds.length === 0 ? empty : format.parse(empty, options).apply(adds);
  };
}

/** Android names hold no blanks and signs. */
const toAndroid: Converter = (units, options) =>
  keyed('aresource')(
    units.map((unit) => ({ ...unit, context: unit.context.replace(/[^\w.-]+/g, '_') })),
    options,
  );

interface ConverterRow extends ConverterInfo {
  readonly convert: Converter;
}

const XLIFF = 'application/x-xliff+xml';
const rows: readonly ConverterRow[] = [
  { id: 'po', extension: 'po', mediaType: 'text/x-po', available: 'always', convert: toPo },
  { id: 'mo', extension: 'mo', mediaType: 'application/x-gettext-catalog', available: 'gettext', convert: toMo },
  { id: 'xliff', extension: 'xlf', mediaType: XLIFF, available: 'always', convert: toXliff },
  { id: 'xliff11', extension: 'xlf', mediaType: XLIFF, available: 'always', convert: toXliff11 },
  { id: 'tbx', extension: 'tbx', mediaType: 'application/x-tbx', available: 'always', convert: toTbx },
  { id: 'tmx', extension: 'tmx', mediaType: 'application/x-tmx', available: 'always', convert: toTmx },
  { id: 'csv', extension: 'csv', mediaType: 'text/csv', available: 'always', convert: toCsv },
  { id: 'csv-multi', extension: 'csv', mediaType: 'text/csv', available: 'multivalue', convert: toCsvMulti },
  {
    id: 'xlsx',
    extension: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    available: 'always',
    convert: toXlsx,
  },
  { id: 'json', extension: 'json', mediaType: 'application/json', available: 'template', convert: keyed('json') },
  {
    id: 'json-nested',
    extension: 'json',
    mediaType: 'application/json',
    available: 'template',
    convert: keyed('json-nested'),
  },
  { id: 'aresource', extension: 'xml', mediaType: 'application/xml', available: 'template', convert: toAndroid },
  { id: 'strings', extension: 'strings', mediaType: 'text/plain', available: 'template', convert: keyed('strings') },
];

/** The table of download formats. */
export const converters: readonly ConverterInfo[] = rows;

/** The row of a download format, or undefined for an unknown name. */
export function converterInfo(id: string): ConverterInfo | undefined {
  return rows.find((row) => row.id === id);
}

/** Whether a download format is offered for a component of a file format, with or without a template. */
export function isConverterAvailable(id: string, fileFormat: string, hasTemplate: boolean): boolean {
  const info = converterInfo(id);
  if (!info) return false;
  if (info.available === 'gettext') return fileFormat === 'po' || fileFormat === 'po-mono';
  if (info.available === 'multivalue') return fileFormat === 'csv-multi-utf-8';
  return info.available === 'always' || hasTemplate;
}

/** Writes units in a download format. Throws FormatError `unknown-format`. */
export function convert(to: string, units: readonly ConvertUnit[], options: ConvertOptions): Buffer {
  const row = rows.find((candidate) => candidate.id === to);
  if (!row) throw new FormatError('unknown-format', `files cannot be converted to "${to}"`);
  return row.convert(units, options);
}
