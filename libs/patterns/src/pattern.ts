import { RE2JS, RE2JSSyntaxException } from 're2js';

/** Longest pattern, in UTF-16 code units. */
export const MAX_PATTERN_LENGTH = 1_000;
/** Largest automaton. Time is linear in the text multiplied by this number, so `(a{1000}){9}` must not be accepted. */
const MAX_PROGRAM_SIZE = 1_200;

/** A pattern from a user is invalid. The message is a clause for the user: `unbalanced parenthesis`. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

export interface PatternOptions {
  ignoreCase?: boolean;
  /** `^` and `$` match at line breaks. */
  multiline?: boolean;
}

/** One match with its named groups. */
export interface PatternMatch {
  start: number;
  end: number;
  /** Text of a named group; undefined when the group is missing or did not take part. */
  group(name: string): string | undefined;
  /** Start and end of a named group. */
  span(name: string): readonly [start: number, end: number] | undefined;
}

/** A compiled pattern of a user. Every operation takes time linear in the text (RE2). */
export interface Pattern {
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean;
  /** The match of the whole text, or null. */
  whole(text: string): PatternMatch | null;
  /** The leftmost match, or null. */
  first(text: string): PatternMatch | null;
  /** The texts of all matches that are not empty. */
  findAll(text: string): string[];
  /** The text without its matches. */
  remove(text: string): string;
}

type Matcher = ReturnType<RE2JS['matcher']>;

function matchOf(matcher: Matcher, names: ReadonlySet<string>): PatternMatch {
  const [start, end] = [matcher.start(), matcher.end()];
  const spans = new Map<string, readonly [number, number]>();
  for (const name of names) {
    const from = matcher.start(name);
    if (from >= 0) spans.set(name, [from, matcher.end(name)]);
  }
  const groups = new Map([...spans.keys()].map((name) => [name, matcher.group(name) ?? undefined]));
  return { start, end, group: (name) => groups.get(name), span: (name) => spans.get(name) };
}

class Re2Pattern implements Pattern {
  private readonly names: ReadonlySet<string>;

  constructor(private readonly compiled: RE2JS) {
    this.names = new Set(Object.keys(compiled.namedGroups()));
  }

  test(text: string): boolean {
    return this.compiled.test(text);
  }

  whole(text: string): PatternMatch | null {
    const matcher = this.compiled.matcher(text);
    return matcher.matches() ? matchOf(matcher, this.names) : null;
  }

  first(text: string): PatternMatch | null {
    const matcher = this.compiled.matcher(text);
    return matcher.find() ? matchOf(matcher, this.names) : null;
  }

  findAll(text: string): string[] {
    const found: string[] = [];
    const matcher = this.compiled.matcher(text);
    while (matcher.find()) {
      const match = matcher.group();
      if (match) found.push(match);
    }
    return found;
  }

  remove(text: string): string {
    return this.compiled.matcher(text).replaceAll('');
  }
}

/** Compiled patterns. Settings of a component are compiled for every file. */
const compiledPatterns = new Map<string, Pattern>();
const MAX_CACHED = 200;

/**
 * Compiles a regular expression that a user gave. RE2 has no look-around and no back references.
 * @throws {PatternError} on a syntax error, and when the pattern or its automaton is too large
 */
export function compilePattern(pattern: string, options: PatternOptions = {}): Pattern {
  if (pattern.length > MAX_PATTERN_LENGTH) throw new PatternError(`longer than ${MAX_PATTERN_LENGTH} characters`);
  const flags = (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (options.multiline ? RE2JS.MULTILINE : 0);
  const key = `${options.ignoreCase ? 'i' : ''}${options.multiline ? 'm' : ''}:${pattern}`;
  const known = compiledPatterns.get(key);
  if (known) return known;
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, flags);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new PatternError(error.message.replace('error parsing regexp: ', '').slice(0, 200));
  }
  if (compiled.programSize() > MAX_PROGRAM_SIZE) throw new PatternError('too large: use fewer or shorter repetitions');
  const made = new Re2Pattern(compiled);
  if (compiledPatterns.size >= MAX_CACHED) compiledPatterns.clear();
  compiledPatterns.set(key, made);
  return made;
}

/** Reason why a user's pattern is invalid, as a sentence; null if it is valid. */
export function patternProblem(pattern: string, compile: (pattern: string) => unknown = compilePattern): string | null {
  try {
    compile(pattern);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return `This is not a valid regular expression (RE2 syntax): ${error.message}`;
    throw error;
  }
}
