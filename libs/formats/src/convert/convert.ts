import { printable } from '../core/document';
import { listOf } from '../core/nested-keys';
import { FormatError, type AddChange } from '../format';
import { formatOf } from '../formats';
import { keyAncestors } from '../registry';
import { toTbx, toTmx, toXliff, toXliff11 } from './exchange';
import { toMo, toPo } from './gettext';
import { toCsv, toCsvMulti, toXlsx } from './tables';
import type { Converter, ConvertOptions, ConvertUnit } from './units';

export type { ConvertOptions, ConvertUnit } from './units';

/** When a download in a format is offered. */
export type Availability = 'always' | 'gettext' | 'multivalue' | 'template';

/**
 * What becomes of plural forms: all of them in one string, which an upload reads back; each in a string of its own; the first form or
 * the last one alone. Of the latter two an upload takes nothing, for the others are missing.
 */
export type PluralForms = 'all' | 'apart' | 'first' | 'last';

/** A row of the table of download formats. */
export interface ConverterInfo {
  /** The value of `?format=`. */
  readonly id: string;
  readonly extension: string;
  readonly mediaType: string;
  readonly available: Availability;
  readonly plurals: PluralForms;
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
      const target = converterInfo(id)?.plurals === 'all' ? unit.target : unit.target.slice(-1);
      return [
        { op: 'add', context: unit.context, source: target.length > 1 ? unit.source : [unit.context], target, ...info },
      ];
    });
    const { nested, flat } = id === 'json-nested' ? apart(adds) : { nested: adds, flat: [] };
    const write = (some: readonly AddChange[], into: string, start: Buffer): Buffer => {
      const file = formatOf(into).parse(start, options);
      try {
        return file.apply(some);
      } catch (error) {
        throw named(error, some, (fewer) => file.apply(fewer));
      }
    };
    const written = write(nested, id, format.createTranslation(undefined, options));
    return flat.length === 0 ? written : write(flat, 'json', written);
  };
}

/** Strings whose place in nested objects and lists another one has: they keep their whole key as a name, and none is lost. */
function apart(adds: readonly AddChange[]): { nested: AddChange[]; flat: AddChange[] } {
  const texts = new Set(adds.map(({ context }) => context));
  const isList = new Map<string, boolean>();
  const nested: AddChange[] = [];
  const flat: AddChange[] = [];
  for (const add of adds) {
    const key = add.context;
    const above = keyAncestors('json-nested', key);
    const fits = above.every(
      (path) => !texts.has(path) && (isList.get(path) ?? key[path.length] === '[') === (key[path.length] === '['),
    );
    (fits ? nested : flat).push(add);
    if (fits) for (const path of above) isList.set(path, key[path.length] === '[');
  }
  return { nested, flat };
}

/** The error with the key of the string that it is about, which is found by halves. */
function named(error: unknown, adds: readonly AddChange[], write: (some: readonly AddChange[]) => void): unknown {
  if (!(error instanceof FormatError)) return error;
  const fails = (some: readonly AddChange[]): boolean => {
    try {
      write(some);
      return false;
    } catch (again) {
      if (again instanceof FormatError) return true;
      throw again;
    }
  };
  let some = adds;
  while (some.length > 1) {
    const half = some.slice(0, some.length >> 1);
    const rest = some.slice(some.length >> 1);
    // Two strings that do not fit together are each right alone.
    if (fails(half)) some = half;
    else if (fails(rest)) some = rest;
    else return error;
  }
  return new FormatError(error.code, `string "${printable(some[0]?.context ?? '', 100)}": ${error.message}`);
}

/** Android names hold no blanks and signs; places in lists stay such. */
const toAndroid: Converter = (units, options) =>
  keyed('aresource')(
    units.map((unit) => {
      const list = listOf(unit.context);
      const name = (list ?? unit.context).replace(/[^\w.-]+/g, '_');
      return { ...unit, context: list === undefined ? name : name + unit.context.slice(list.length) };
    }),
    options,
  );

interface ConverterRow extends ConverterInfo {
  readonly convert: Converter;
}

const XLIFF = 'application/x-xliff+xml';
const rows: readonly ConverterRow[] = [
  { id: 'po', plurals: 'all', extension: 'po', mediaType: 'text/x-po', available: 'always', convert: toPo },
  {
    id: 'mo',
    plurals: 'all',
    extension: 'mo',
    mediaType: 'application/x-gettext-catalog',
    available: 'gettext',
    convert: toMo,
  },
  { id: 'xliff', plurals: 'all', extension: 'xlf', mediaType: XLIFF, available: 'always', convert: toXliff },
  { id: 'xliff11', plurals: 'apart', extension: 'xlf', mediaType: XLIFF, available: 'always', convert: toXliff11 },
  {
    id: 'tbx',
    plurals: 'first',
    extension: 'tbx',
    mediaType: 'application/x-tbx',
    available: 'always',
    convert: toTbx,
  },
  {
    id: 'tmx',
    plurals: 'apart',
    extension: 'tmx',
    mediaType: 'application/x-tmx',
    available: 'always',
    convert: toTmx,
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
  },
  {
    id: 'strings',
    plurals: 'last',
    extension: 'strings',
    mediaType: 'text/plain',
    available: 'template',
    convert: keyed('strings'),
  },
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
  return row.convert(units.map(writable), options);
}

/** A NUL or half a character, which a file can hold but hardly any other format, is left out rather than failing a download. */
function writable(unit: ConvertUnit): ConvertUnit {
  const texts = [unit.context, ...unit.source, ...unit.target, unit.note ?? ''];
  if (!texts.some((text) => UNWRITABLE.test(text))) return unit;
  const clean = (text: string): string => text.replace(new RegExp(UNWRITABLE, 'gu'), '');
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
