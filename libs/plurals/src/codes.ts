import { trimOf } from '@parlance/patterns';
import { baseCode, LANGUAGES, type Language } from './languages';

/** Maximum length of a language code. Longer parts of file names are not codes. */
export const MAX_CODE_LENGTH = 50;

/** Properties of a language that lookups need. */
export type KnownLanguage = Pick<Language, 'code'> &
  Partial<Pick<Language, 'name' | 'aliases' | 'defaultCountry' | 'script'>>;

const aliasKey = (code: string): string =>
  code
    .toLowerCase()
    .replace(/^([a-z]{2,3})-r(?=[a-z]{2}$)/, '$1_')
    .replace(/_r(?=[a-z]{2}$)/, (part, offset: number) => (offset >= 2 && offset <= 3 ? '_' : part))
    .replace(/[+-]/g, '_')
    .replace(/_latin$/, '@latin');

/** Index of languages for {@link resolveLanguageCode}. Build it once and reuse it. */
export class LanguageIndex {
  private readonly codes = new Map<string, KnownLanguage>();
  private readonly lower = new Map<string, string>();
  private readonly names = new Map<string, string>();
  private readonly aliases = new Map<string, string>();

  constructor(languages: Iterable<KnownLanguage>) {
    for (const language of languages) {
      this.codes.set(language.code, language);
      this.lower.set(language.code.toLowerCase(), language.code);
      if (language.name) this.names.set(language.name.toLowerCase(), language.code);
      for (const alias of language.aliases ?? []) this.aliases.set(aliasKey(alias), language.code);
    }
  }

  get(code: string): KnownLanguage | undefined {
    return this.codes.get(code);
  }

  /** Finds a code ignoring case. */
  byCode(code: string): string | undefined {
    return this.codes.has(code) ? code : this.lower.get(code.toLowerCase());
  }

  byAlias(code: string): string | undefined {
    return this.aliases.get(aliasKey(code));
  }

  byName(name: string): string | undefined {
    return this.names.get(name.toLowerCase());
  }
}

/** The predefined languages. */
export const PREDEFINED_LANGUAGES = new LanguageIndex(LANGUAGES);

/** A project's aliases do not have the form `from:to,from:to`. */
export class LanguageAliasError extends Error {
  override readonly name = 'LanguageAliasError';
  constructor(
    /** The invalid part. */
    readonly part: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Parses a project's `language_aliases`, `from:to,from:to`. Keys are converted to lower case.
 *
 * @throws {LanguageAliasError} a part without exactly one `:`, an empty side, or the same source twice
 */
export function parseLanguageAliases(text: string): Map<string, string> {
  const aliases = new Map<string, string>();
  if (text.trim() === '') return aliases;
  for (const part of text.split(',')) {
    const sides = part.split(':').map((side) => side.trim());
    if (sides.length !== 2) throw new LanguageAliasError(part, `"${part.trim()}" needs exactly one colon`);
    const [from, to] = sides as [string, string];
    if (from === '' || to === '')
      throw new LanguageAliasError(part, `"${part.trim()}" needs a code on both sides of the colon`);
    if (aliases.has(from.toLowerCase())) throw new LanguageAliasError(part, `"${from}" is given twice`);
    aliases.set(from.toLowerCase(), to);
  }
  return aliases;
}

export interface ResolveOptions {
  /** The project's aliases from {@link parseLanguageAliases}; they take precedence over all other rules. */
  aliases?: ReadonlyMap<string, string>;
  /** Languages that exist; the predefined ones by default. */
  known?: LanguageIndex;
  /** Meaning of the file codes `source`, `src` and `default`. Default: `en`. */
  sourceLanguage?: string;
}

export interface ResolvedLanguage {
  code: string;
  /** No known language has this code, so it must be created; see {@link import('./languages').languageDefaults}. */
  isNew: boolean;
  /** The known language that a new code derives from (`de` of `de_XX`); null if there is none or the code is not new. */
  base: string | null;
}

const SOURCE_CODES = new Set(['source', 'src', 'default']);

/** Removes decorations of file names: `b+`, ` (2)`, spaces, parentheses, outer dots. */
function clean(raw: string): string {
  let code = raw.normalize('NFC').trim();
  if (/^b\+/i.test(code)) code = code.slice(2).replaceAll('+', '_');
  const bare = code.replace(/ ?\(\d{1,3}\)$/, '').replace(/[\s()]/g, '');
  return trimOf(bare, '.').replace(/^([A-Za-z]{2,3})-r([A-Z]{2})$/, '$1_$2');
}

function spellings(code: string): string[] {
  const list = [code, code.replaceAll('-', '_'), code.replaceAll('+', '_'), code.replace(/[+-]/g, '_')];
  if (/^[A-Za-z]{4}$/.test(code)) list.push(`${code.slice(0, 2)}_${code.slice(2)}`);
  return [...new Set(list)];
}

/** `lang_Script_COUNTRY@variant-x-private` with the usual case of each part. */
export function normaliseLanguageCode(raw: string): string {
  const [, plain = '', privateUse] = /^(.*?)([_-]x[_-].*)?$/is.exec(raw.replaceAll('+', '_')) ?? [];
  const at = plain.indexOf('@');
  const main = at < 0 ? plain : plain.slice(0, at);
  const variant = at < 0 ? '' : plain.slice(at).toLowerCase();
  const parts = main.split(/[_+-]/).filter((part) => part !== '');
  const normal = parts.map((part, index) => {
    if (index === 0) return part.toLowerCase();
    if (/^[a-z]{4}$/i.test(part)) return part[0]!.toUpperCase() + part.slice(1).toLowerCase();
    if (/^([a-z]{2}|\d{3})$/i.test(part)) return part.toUpperCase();
    return part.toLowerCase();
  });
  return normal.join('_') + variant + (privateUse ? privateUse.replaceAll('_', '-').toLowerCase() : '');
}

/** The known language after dropping a default country or script. */
function collapse(code: string, known: LanguageIndex): string | undefined {
  const match = /^([a-z]{2,8})(?:_([A-Z][a-z]{3}))?(?:_([A-Z]{2}|\d{3}))?(@.+)?$/.exec(code);
  if (!match) return undefined;
  const [, language = '', script, country, variant = ''] = match;
  const usual = PREDEFINED_LANGUAGES.get(language);
  const defaultCountry = known.get(language)?.defaultCountry ?? usual?.defaultCountry;
  const defaultScript = known.get(language)?.script ?? usual?.script;
  const candidates: string[] = [];
  if (script && country && script === defaultScript) candidates.push(`${language}_${country}`);
  if (script && country && country === defaultCountry) candidates.push(`${language}_${script}`);
  if ((!script || script === defaultScript) && (!country || country === defaultCountry)) candidates.push(language);
  for (const candidate of candidates) {
    const found = known.byCode(candidate + variant);
    if (found) return found;
  }
  return undefined;
}

function lookUp(code: string, known: LanguageIndex): string | undefined {
  const forms = spellings(code);
  for (const form of forms) {
    const found = known.byCode(form);
    if (found) return found;
  }
  for (const form of forms) {
    const found = known.byAlias(form) ?? aliasOf(form, known);
    if (found) return found;
  }
  const normal = normaliseLanguageCode(forms[forms.length - 1]!);
  const exact = known.byCode(normal) ?? collapse(normal, known);
  if (exact) return exact;
  // An alias of the language part: iw_XX is he_XX even if that is unknown.
  const base = baseCode(normal);
  const other = known.get(base) ? undefined : (known.byAlias(base) ?? aliasOf(base, known));
  if (other && /^[a-z]{2,3}$/.test(other) && base !== normal) {
    const replaced = other + normal.slice(base.length);
    return known.byCode(replaced) ?? collapse(replaced, known);
  }
  return undefined;
}

/** Predefined aliases apply even if the known languages have none. */
function aliasOf(code: string, known: LanguageIndex): string | undefined {
  const target = known === PREDEFINED_LANGUAGES ? undefined : PREDEFINED_LANGUAGES.byAlias(code);
  return target === undefined ? undefined : known.byCode(target);
}

/**
 * Resolves a code in a file name: by the project's aliases, exact code, other spellings, known aliases, omitted default country, or
 * English name. Otherwise returns a new code in canonical form.
 *
 * @returns null when the text cannot be a language code
 */
export function resolveLanguageCode(raw: string, options: ResolveOptions = {}): ResolvedLanguage | null {
  if (raw.length > 2 * MAX_CODE_LENGTH) return null;
  const known = options.known ?? PREDEFINED_LANGUAGES;
  const cleaned = clean(raw);
  const aliases = options.aliases;
  const replaced =
    aliases?.get(raw.toLowerCase()) ??
    aliases?.get(cleaned.toLowerCase()) ??
    aliases?.get(aliasKey(cleaned)) ??
    undefined;
  const code = replaced === undefined ? cleaned : clean(replaced);
  if (SOURCE_CODES.has(code.toLowerCase())) {
    const source = options.sourceLanguage ?? 'en';
    return { code: source, isNew: known.get(source) === undefined, base: null };
  }
  const found = lookUp(code, known) ?? known.byName(replaced ?? raw.trim());
  if (found) return { code: found, isNew: false, base: null };

  let fresh = normaliseLanguageCode(code);
  if (fresh.length > MAX_CODE_LENGTH || !/^[a-z0-9]+(?:[_@.-][A-Za-z0-9]+)*$/.test(fresh)) return null;
  let base = known.byCode(baseCode(fresh));
  if (!base) {
    base = lookUp(baseCode(fresh), known);
    if (base && /^[a-z]{2,3}$/.test(base)) fresh = base + fresh.slice(baseCode(fresh).length);
  }
  const settled = lookUp(fresh, known);
  if (settled) return { code: settled, isNew: false, base: null };
  return { code: fresh, isNew: true, base: base ?? null };
}
