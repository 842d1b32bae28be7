import { FormatError } from '../format';
import { toTbx, toTmx, toXliff, toXliff11 } from './exchange';
import { toMo, toPo } from './gettext';
import { keyed, toAndroid } from './keyed';
import { toCsv, toCsvMulti, toXlsx } from './tables';
import {
  isFinished,
  isTranslated,
  type Converter,
  type ConvertOptions,
  type ConvertUnit,
  type EntryConverter,
  type EntryFile,
} from './units';

export type { ConvertOptions, ConvertUnit } from './units';

/** Condition under which a download format is available. */
export type Availability = 'always' | 'gettext' | 'multivalue' | 'template';

/**
 * Representation of plural forms: all in one string, which an upload reads back; each in a string of its own; only the first or
 * last. An upload ignores the latter two, because forms are missing.
 */
export type PluralForms = 'all' | 'apart' | 'first' | 'last';

/** A download format. */
export interface ConverterInfo {
  /** The value of `?format=`. */
  readonly id: string;
  readonly extension: string;
  readonly mediaType: string;
  readonly available: Availability;
  readonly plurals: PluralForms;
}

type ConverterRow = ConverterInfo & {
  /** Strings that the format includes. Default: all. */
  readonly includes?: (unit: ConvertUnit) => boolean;
} & ({ readonly convert: Converter } | { readonly entries: EntryConverter });

type EntryRow = Extract<ConverterRow, { entries: EntryConverter }>;

const XLIFF = 'application/x-xliff+xml';
const rows: readonly ConverterRow[] = [
  { id: 'po', plurals: 'all', extension: 'po', mediaType: 'text/x-po', available: 'always', entries: toPo },
  {
    id: 'mo',
    plurals: 'all',
    extension: 'mo',
    mediaType: 'application/x-gettext-catalog',
    available: 'gettext',
    convert: toMo,
    includes: isFinished,
  },
  { id: 'xliff', plurals: 'all', extension: 'xlf', mediaType: XLIFF, available: 'always', entries: toXliff },
  { id: 'xliff11', plurals: 'apart', extension: 'xlf', mediaType: XLIFF, available: 'always', entries: toXliff11 },
  {
    id: 'tbx',
    plurals: 'first',
    extension: 'tbx',
    mediaType: 'application/x-tbx',
    available: 'always',
    entries: toTbx,
  },
  {
    id: 'tmx',
    plurals: 'apart',
    extension: 'tmx',
    mediaType: 'application/x-tmx',
    available: 'always',
    entries: toTmx,
    includes: isTranslated,
  },
  { id: 'csv', plurals: 'all', extension: 'csv', mediaType: 'text/csv', available: 'always', convert: toCsv },
  {
    id: 'csv-multi',
    plurals: 'all',
    extension: 'csv',
    mediaType: 'text/csv',
    available: 'multivalue',
    convert: toCsvMulti,
  },
  {
    id: 'xlsx',
    plurals: 'all',
    extension: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    available: 'always',
    convert: toXlsx,
  },
  {
    id: 'json',
    plurals: 'last',
    extension: 'json',
    mediaType: 'application/json',
    available: 'template',
    convert: keyed('json'),
  },
  {
    id: 'json-nested',
    plurals: 'last',
    extension: 'json',
    mediaType: 'application/json',
    available: 'template',
    convert: keyed('json-nested'),
  },
  {
    id: 'aresource',
    plurals: 'all',
    extension: 'xml',
    mediaType: 'application/xml',
    available: 'template',
    convert: toAndroid,
    includes: isTranslated,
  },
  {
    id: 'strings',
    plurals: 'last',
    extension: 'strings',
    mediaType: 'text/plain',
    available: 'template',
    convert: keyed('strings'),
    includes: isTranslated,
  },
];

/** The table of download formats. */
export const converters: readonly ConverterInfo[] = rows;

/** The row of a download format, or undefined for an unknown name. */
export function converterInfo(id: string): ConverterInfo | undefined {
  return rows.find((row) => row.id === id);
}

/** Whether a download format is available for a component. */
export function isConverterAvailable(id: string, fileFormat: string, hasTemplate: boolean): boolean {
  const info = converterInfo(id);
  if (!info) return false;
  if (info.available === 'gettext') return fileFormat === 'po' || fileFormat === 'po-mono';
  if (info.available === 'multivalue') return fileFormat === 'csv-multi-utf-8';
  return info.available === 'always' || hasTemplate;
}

/**
 * Writes units in a download format.
 * @throws FormatError `unknown-format`, or an error that names a string that the format cannot represent
 */
export function convert(to: string, units: readonly ConvertUnit[], options: ConvertOptions): Buffer {
  const row = rowOf(to);
  if ('convert' in row) return row.convert((row.includes ? units.filter(row.includes) : units).map(writable), options);
  const { head, entry, tail } = entriesOf(row, options);
  return Buffer.from(`${head}${units.map(entry).join('')}${tail}`);
}

/**
 * The parts of a file whose entries depend on nothing but their string and the options, so that entries of unchanged strings can be kept;
 * undefined: the format has no such files.
 * @throws FormatError `unknown-format`
 */
export function entryFile(to: string, options: ConvertOptions): EntryFile | undefined {
  const row = rowOf(to);
  return 'entries' in row ? entriesOf(row, options) : undefined;
}

function entriesOf(row: EntryRow, options: ConvertOptions): EntryFile {
  const file = row.entries(options);
  return { ...file, entry: (unit) => (row.includes?.(unit) === false ? '' : file.entry(writable(unit))) };
}

/** Untranslated strings that a download format omits. Throws FormatError `unknown-format`. */
export function leftOut(to: string, units: readonly ConvertUnit[]): ConvertUnit[] {
  const { includes: holds } = rowOf(to);
  return holds ? units.filter((unit) => !holds(unit)) : [];
}

function rowOf(id: string): ConverterRow {
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw new FormatError('unknown-format', `files cannot be converted to "${id}"`);
  return row;
}

/** Drops NUL and unpaired surrogates instead of failing the download. Few formats can represent them. */
function writable(unit: ConvertUnit): ConvertUnit {
  const texts = [unit.context, ...unit.source, ...unit.target, unit.note ?? ''];
  if (!texts.some((text) => UNWRITABLE.test(text))) return unit;
  const clean = (text: string): string => text.replace(UNWRITABLES, '');
  const { context, source, target, note } = unit;
  return {
    ...unit,
    context: clean(context),
    source: source.map(clean),
    target: target.map(clean),
    ...(note === undefined ? {} : { note: clean(note) }),
  };
}

const UNWRITABLE = /\0|\p{Surrogate}/u;
const UNWRITABLES = /\0|\p{Surrogate}/gu;
