import { printable } from '../core/document';
import { listOf } from '../core/nested-keys';
import { FormatError, type AddChange, type FormatErrorCode } from '../format';
import { formatOf } from '../formats';
import { keyAncestors } from '../registry';
import type { Converter, ConvertUnit } from './units';

/** A string whose context is its key. */
interface KeyedUnit extends ConvertUnit {
  /** The key is a natural-language text. Its dots and brackets are not a path. */
  readonly literal: boolean;
}

/** Keys with texts, written through the format. */
export function keyed(id: string): Converter {
  return (units, options) => write(id, distinct(withKeys(units)), options);
}

/**
 * Android names have only letters, digits and underscores; list indexes are kept. Repeated names get a number.
 */
export const toAndroid: Converter = (units, options) => {
  const names = new Set<string>();
  const numbers = new Map<string, number>();
  const named = distinct(withKeys(units)).map((unit) => {
    const list = unit.literal ? undefined : listOf(unit.context);
    const place = list === undefined ? '' : unit.context.slice(list.length);
    const name = (list ?? unit.context).replace(/[^\w.-]+/g, '_').replace(unit.literal ? /^(?!\p{L}|_)/u : /^$/, '_');
    const wanted = name + place;
    let context = wanted;
    let number = numbers.get(wanted) ?? 1;
    while (names.has(context)) context = `${name}_${++number}${place}`;
    numbers.set(wanted, number);
    names.add(context);
    return { ...unit, context };
  });
  return write('aresource', named, options);
};

/**
 * Assigns keys: the context if it is unique, else the source, joined with the context as in gettext.
 */
function withKeys(units: readonly ConvertUnit[]): KeyedUnit[] {
  const sources = new Map<string, string>();
  const shared = new Set<string>();
  for (const { context, source } of units) {
    const key = context || (source[0] ?? '');
    const own = context === '' ? '' : `\0${source[0] ?? ''}`;
    if ((sources.get(key) ?? own) !== own) shared.add(key);
    sources.set(key, own);
  }
  return units.map((unit) => {
    const { context } = unit;
    const source = unit.source[0] ?? '';
    if (context === '') return { ...unit, context: source, literal: true };
    if (shared.has(context)) return { ...unit, context: `${context}\u0004${source}`, literal: true };
    return { ...unit, literal: false };
  });
}

/** A key may repeat with the same text. */
function distinct(units: readonly KeyedUnit[]): KeyedUnit[] {
  const seen = new Map<string, KeyedUnit>();
  return units.filter((unit) => {
    const first = seen.get(unit.context);
    if (first && first.target.join('\0') !== unit.target.join('\0'))
      throw refusal('duplicate', unit.context, 'another string has the same key with a different text');
    seen.set(unit.context, unit);
    return first === undefined;
  });
}

function refusal(code: FormatErrorCode, key: string, message: string): FormatError {
  return new FormatError(code, `string "${printable(key, 100)}": ${message}`);
}

function write(
  id: string,
  units: readonly KeyedUnit[],
  { language, sourceLanguage, plural, allForms }: Parameters<Converter>[1],
): Buffer {
  const format = formatOf(id);
  const options = { language, sourceLanguage, ...(plural ? { plural } : {}), monolingual: true };
  const plurals = id === 'aresource';
  const adds = units.map(({ context, source, target, note }): AddChange => {
    if (allForms && !plurals && new Set(target).size > 1)
      throw refusal('unrepresentable', context, `${id} files hold no plural forms`);
    const forms = plurals ? target : target.slice(-1);
    const info = note ? { note } : {};
    return {
      op: 'add',
      context,
      source: plurals && Math.max(forms.length, source.length) > 1 ? source : [context],
      target: forms,
      ...info,
    };
  });
  const literal = new Set(units.filter((unit) => unit.literal).map(({ context }) => context));
  const { nested, flat } = id === 'json-nested' ? separateFlatKeys(adds, literal) : { nested: adds, flat: [] };
  const writeInto = (some: readonly AddChange[], into: string, start: Buffer): Buffer => {
    const file = formatOf(into).parse(start, options);
    try {
      return file.apply(some);
    } catch (error) {
      throw withFailingKey(error, some, (fewer) => file.apply(fewer));
    }
  };
  const written = writeInto(nested, id, format.createTranslation(undefined, options));
  return flat.length === 0 ? written : writeInto(flat, 'json', written);
}

/**
 * Strings whose key is not a path, or conflicts with another string. They keep the key as a flat name.
 */
function separateFlatKeys(
  adds: readonly AddChange[],
  literal: ReadonlySet<string>,
): { nested: AddChange[]; flat: AddChange[] } {
  const texts = new Set(adds.map(({ context }) => context));
  const isList = new Map<string, boolean>();
  const nested: AddChange[] = [];
  const flat: AddChange[] = [];
  for (const add of adds) {
    const key = add.context;
    const ancestors = keyAncestors('json-nested', key);
    const isNested =
      (ancestors.length === 0 || !literal.has(key)) &&
      ancestors.every(
        (path) => !texts.has(path) && (isList.get(path) ?? key[path.length] === '[') === (key[path.length] === '['),
      );
    (isNested ? nested : flat).push(add);
    if (isNested) for (const path of ancestors) isList.set(path, key[path.length] === '[');
  }
  return { nested, flat };
}

/** Adds the key of the failing string to an error. Found by bisection. */
function withFailingKey(
  error: unknown,
  adds: readonly AddChange[],
  write: (some: readonly AddChange[]) => void,
): unknown {
  if (!(error instanceof FormatError)) return error;
  const fails = (suspects: readonly AddChange[]): boolean => {
    try {
      write(suspects);
      return false;
    } catch (failure) {
      if (failure instanceof FormatError) return true;
      throw failure;
    }
  };
  let suspects = adds;
  while (suspects.length > 1) {
    const half = suspects.slice(0, suspects.length >> 1);
    const rest = suspects.slice(suspects.length >> 1);
    // Conflicting strings are valid individually.
    if (fails(half)) suspects = half;
    else if (fails(rest)) suspects = rest;
    else return error;
  }
  return refusal(error.code, suspects[0]?.context ?? '', error.message);
}
