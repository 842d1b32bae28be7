import { compilePattern, PatternError } from '@parlance/patterns';
import { FLAG_ALIASES, FLAGS, IGNORED_FLAGS, type FlagConstraints } from './flag-definitions';

/** Parameter of a flag: a string or a regular expression (RE2 syntax). */
export type FlagValue = string | { readonly regex: string };

/** Maximum length of a flags string. */
export const MAX_FLAGS_LENGTH = 10_000;

/** A flags string is invalid. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
  constructor(
    /** The invalid flag as written. */
    readonly flag: string,
    /** 0-based offset in the flags string. */
    readonly position: number,
    message: string,
  ) {
    super(message);
  }
}

interface Entry {
  name: string;
  values: readonly FlagValue[];
}

/** Quotes a parameter if it has white space or delimiters. */
function formatValue(value: FlagValue): string {
  if (typeof value !== 'string')
    return `r"${value.regex.replace(/\\[^]|"/g, (part) => (part === '"' ? '\\"' : part))}"`;
  if (/^[^\s,:"'\\]*$/.test(value)) return value;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** An immutable set of flags. */
export class Flags {
  private readonly entries: ReadonlyMap<string, Entry>;
  private text: string | undefined;

  constructor(entries: Iterable<readonly [key: string, entry: Entry]> = []) {
    this.entries = new Map(entries);
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The parameters; undefined if the flag is not set, empty for a flag without parameters. */
  values(name: string): readonly FlagValue[] | undefined {
    return this.entries.get(name)?.values;
  }

  /** The first parameter as a string. */
  value(name: string): string | undefined {
    const first = this.entries.get(name)?.values[0];
    return typeof first === 'object' ? first.regex : first;
  }

  /** The first parameter as a number. */
  number(name: string): number | undefined {
    const value = this.value(name);
    return value === undefined ? undefined : Number(value);
  }

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  [Symbol.iterator](): Iterator<readonly [string, Entry]> {
    return this.entries[Symbol.iterator]();
  }

  /** Canonical form: flags sorted and joined by `, `. */
  toString(): string {
    this.text ??= [...this.entries.values()]
      .map(({ name, values }) => [name, ...values.map(formatValue)].join(':'))
      .sort()
      .join(', ');
    return this.text;
  }
}

export const NO_FLAGS = new Flags();

class FlagParser {
  private position = 0;

  constructor(
    private readonly text: string,
    private readonly lenient: boolean,
  ) {}

  read(): Flags {
    const entries = new Map<string, Entry>();
    while (this.position < this.text.length) {
      const start = this.position;
      const item = this.item();
      if (!item) continue;
      const written = this.text.slice(start, this.position).trim();
      const problem = this.problem(item);
      if (problem !== undefined) {
        if (this.lenient) continue;
        throw new FlagError(written, start, problem);
      }
      const key = item.name === 'discard' ? `discard:${String(item.values[0])}` : item.name;
      entries.delete(key);
      entries.set(key, item);
    }
    return new Flags(entries);
  }

  /** Reads one flag including the comma that ends it. */
  private item(): Entry | undefined {
    this.skipSpace();
    const start = this.position;
    while (this.position < this.text.length && !',:'.includes(this.text[this.position]!)) this.position++;
    const written = this.text.slice(start, this.position).trim();
    const name = FLAG_ALIASES.get(written) ?? written;
    const values: FlagValue[] = [];
    while (this.text[this.position] === ':') {
      this.position++;
      values.push(this.value(name, start));
    }
    this.position++;
    if (IGNORED_FLAGS.has(name) || (name === '' && values.length === 0)) return undefined;
    return { name, values };
  }

  private value(flag: string, start: number): FlagValue {
    this.skipSpace();
    const regex = /^r["']/.test(this.text.slice(this.position, this.position + 2));
    if (regex) this.position++;
    const quote = this.text[this.position];
    if (quote !== '"' && quote !== "'") {
      const from = this.position;
      while (this.position < this.text.length && !',:'.includes(this.text[this.position]!)) this.position++;
      return this.text.slice(from, this.position).trim();
    }
    let value = '';
    for (this.position++; this.position < this.text.length; this.position++) {
      const char = this.text[this.position]!;
      if (char === quote) {
        this.position++;
        this.skipSpace();
        const next = this.text[this.position];
        if (next !== undefined && next !== ',' && next !== ':')
          this.fail(flag, start, `unexpected text after the quoted value`);
        return regex ? { regex: value } : value;
      }
      const escaped = this.text[this.position + 1];
      if (char === '\\' && escaped !== undefined) {
        value += regex && escaped !== quote ? char + escaped : escaped;
        this.position++;
      } else value += char;
    }
    return this.fail(flag, start, 'a quote is not closed');
  }

  private fail(flag: string, start: number, message: string): never {
    throw new FlagError(flag, start, `${flag}: ${message}`);
  }

  private skipSpace(): void {
    while (this.position < this.text.length && /\s/.test(this.text[this.position]!)) this.position++;
  }

  private problem({ name, values }: Entry): string | undefined {
    const spec = FLAGS.get(name);
    if (!spec) return `"${name}" is not a flag`;
    if (values.length < spec.min) return `"${name}" requires a parameter`;
    if (values.length > spec.max) {
      return spec.max === 0
        ? `"${name}" takes no parameter`
        : `"${name}" takes at most ${spec.max} parameter${spec.max > 1 ? 's' : ''}`;
    }
    if (spec.even && values.length % 2 === 1) return `"${name}" requires an even number of parameters`;
    for (const value of values) {
      const problem = valueProblem(name, spec, value);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
}

function valueProblem(name: string, spec: FlagConstraints, value: FlagValue): string | undefined {
  const isRegex = typeof value === 'object';
  if (isRegex && !spec.regex) return `"${name}" takes no regular expression`;
  if (!isRegex && spec.integer && !/^-?\d{1,9}$/.test(value)) return `"${name}" requires an integer, not "${value}"`;
  if (isRegex || spec.regex === 'always') {
    try {
      compilePattern(isRegex ? value.regex : value);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return `"${name}": invalid regular expression, ${error.message}`;
    }
  }
  if (name === 'discard' && !isRegex && !FLAGS.has(FLAG_ALIASES.get(value) ?? value))
    return `"discard": "${value}" is not a flag`;
  return undefined;
}

const CACHE_LIMIT = 5000;
/** Length limit of cached strings. It bounds the memory of the cache. */
const CACHED_LENGTH = 1000;
const strictCache = new Map<string, Flags>();
const lenientCache = new Map<string, Flags>();

/**
 * Parses flags. Commas separate names, colons separate parameters; `"` or `'` quote a parameter (with backslash escapes);
 * `r"..."` is a regular expression. The last of several equal names wins. Results of usual length are cached: equal
 * strings give the same object.
 *
 * @param options lenient: skip invalid flags instead of throwing, for flags from translation files
 * @throws {FlagError} if a flag is unknown, or its parameters are missing, superfluous or invalid
 */
export function parseFlags(text: string, options: { lenient?: boolean } = {}): Flags {
  if (text === '') return NO_FLAGS;
  const cache = options.lenient ? lenientCache : strictCache;
  const known = cache.get(text);
  if (known) return known;
  let flags: Flags;
  if (text.length > MAX_FLAGS_LENGTH) {
    if (!options.lenient)
      throw new FlagError(text.slice(0, 40), 0, `flags are longer than ${MAX_FLAGS_LENGTH} characters`);
    flags = NO_FLAGS;
  } else {
    try {
      flags = new FlagParser(text, options.lenient ?? false).read();
    } catch (error) {
      // After an unclosed quote, the start of the next flag is unknown.
      if (!(error instanceof FlagError) || !options.lenient) throw error;
      flags = NO_FLAGS;
    }
  }
  if (text.length > CACHED_LENGTH) return flags;
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(text, flags);
  return flags;
}

const mergeCache = new Map<string, Flags>();

/**
 * Merges layers into the effective flags: later layers override earlier ones, `discard:NAME` removes a flag of earlier
 * layers. Order of layers: project, component, translation, flags of the source in its file, extra flags of the source,
 * flags of the unit. Results of usual length are cached: equal layers give the same object.
 */
export function mergeFlags(...layers: readonly Flags[]): Flags {
  const filled = layers.filter((layer) => !layer.isEmpty);
  if (filled.length === 0) return NO_FLAGS;
  const key = filled.map(String).join('\n');
  const known = mergeCache.get(key);
  if (known) return known;
  const entries = new Map<string, Entry>();
  for (const layer of filled) {
    for (const [, entry] of layer) {
      if (entry.name !== 'discard') continue;
      const name = String(entry.values[0]);
      entries.delete(FLAG_ALIASES.get(name) ?? name);
    }
    for (const [name, entry] of layer) if (entry.name !== 'discard') entries.set(name, entry);
  }
  const merged = new Flags(entries);
  if (key.length > 2 * CACHED_LENGTH) return merged;
  if (mergeCache.size >= CACHE_LIMIT) mergeCache.clear();
  mergeCache.set(key, merged);
  return merged;
}

/**
 * Maximum length of a translation in code points: `max-length`, else ten times the first source form and at least 100.
 * Source units default to 10 000.
 */
export function effectiveMaxLength(flags: Flags, source: string, isSource: boolean): number {
  const limit = flags.number('max-length');
  if (limit !== undefined) return limit;
  return isSource ? 10_000 : Math.max(100, 10 * [...source].length);
}
