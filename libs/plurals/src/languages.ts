import table from './languages.json';
import type { PluralRule } from './formula';

/** Origin of a plural rule; values of the API's `plural.source`. */
export const PLURAL_SOURCE = {
  default: 0,
  gettext: 1,
  manual: 2,
  cldrWithZero: 3,
  cldr: 4,
  android: 5,
  qt: 6,
} as const;

export interface LanguagePlural extends PluralRule {
  /** See the type table of {@link import('./plural-types').pluralType}. */
  type: number;
  /** See {@link PLURAL_SOURCE}. */
  source: number;
}

/** A predefined language. */
export interface Language {
  /** Posix style: `cs`, `pt_BR`, `zh_Hans`, `ca@valencia`. */
  code: string;
  /** English name, unique. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** Speakers according to CLDR; 0 when unknown. */
  population: number;
  plural: LanguagePlural;
  /** Other spellings of the code in lower case, with `_` as separator. */
  aliases: readonly string[];
  /** Default country of the code (`CZ` for `cs`); undefined for codes with a country or script. */
  defaultCountry?: string;
  /** Default script as an ISO 15924 code. */
  script?: string;
}

type Row = [string, string, number, number, number, string, string, string[]];
type PluralRow = [number, string, number];

function load(): Language[] {
  const plurals = table.plurals as PluralRow[];
  return (table.languages as Row[]).map(([code, name, rtl, population, plural, country, script, aliases]) => {
    const [number, formula, type] = plurals[plural]!;
    return {
      code,
      name,
      direction: rtl ? 'rtl' : 'ltr',
      population,
      plural: { number, formula, type, source: PLURAL_SOURCE.default },
      aliases,
      ...(country ? { defaultCountry: country } : {}),
      ...(script ? { script } : {}),
    };
  });
}

/** All predefined languages, ordered by code. */
export const LANGUAGES: readonly Language[] = load();

const byCode = new Map(LANGUAGES.map((language) => [language.code, language]));

/** The predefined language with exactly this code. */
export function findLanguage(code: string): Language | undefined {
  return byCode.get(code);
}

/** Scripts written from right to left that occur in language codes. */
const RTL_SCRIPTS = new Set(
  LANGUAGES.filter((language) => language.direction === 'rtl' && language.script).map((language) => language.script!),
);

/** The language part of a code: `pt` of `pt_BR`, `ca` of `ca@valencia`. */
export function baseCode(code: string): string {
  return /^[^_@-]+/.exec(code)?.[0] ?? code;
}

/**
 * Defaults of a language that is not predefined: direction and plural rule of `base` if known, else left to right and `n != 1`. A script in the code decides the direction.
 */
export function languageDefaults(code: string, base?: Language): Pick<Language, 'name' | 'direction' | 'plural'> {
  const parent = base ?? byCode.get(baseCode(code));
  const script = /[_-]([A-Z][a-z]{3})(?![A-Za-z])/.exec(code)?.[1];
  const direction = script ? (RTL_SCRIPTS.has(script) ? 'rtl' : 'ltr') : (parent?.direction ?? 'ltr');
  const plural = parent?.plural ?? { number: 2, formula: 'n != 1', type: 1, source: PLURAL_SOURCE.default };
  return { name: parent ? `${parent.name} (${code})` : code, direction, plural: { ...plural } };
}
