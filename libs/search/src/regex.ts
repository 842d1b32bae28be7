import { compilePattern, PatternError } from '@parlance/patterns';

/** Maximum length of a regular expression. */
export const MAX_REGEX_LENGTH = 500;

/** A validated regular expression that runs in linear time. */
export interface SafeRegex {
  test(text: string): boolean;
}

/** A regular expression is invalid or too expensive. */
export class RegexError extends Error {
  override readonly name = 'RegexError';
}

/** The end of a bracket expression that starts at `start`. */
function classEnd(pattern: string, start: number): number {
  let index = start + 1;
  if (pattern[index] === '^') index++;
  if (pattern[index] === ']') index++;
  for (; index < pattern.length; index++) {
    if (pattern[index] === '\\') index++;
    else if (pattern.startsWith('[:', index)) {
      const end = pattern.indexOf(':]', index + 2);
      if (end > 0) index = end + 1;
    } else if (pattern[index] === ']') return index;
  }
  return pattern.length;
}

interface Group {
  repeats: boolean;
  alternates: boolean;
}

/**
 * Whether a repeated group contains a repetition or alternatives, which takes exponential time in a backtracking engine. The pattern
 * must compile.
 */
export function hasNestedRepetition(pattern: string): boolean {
  const stack: Group[] = [];
  let current: Group = { repeats: false, alternates: false };
  let closed: Group | undefined;
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index]!;
    const before = closed;
    closed = undefined;
    if (char === '\\') {
      if (pattern[index + 1] === 'Q') {
        const end = pattern.indexOf('\\E', index + 2);
        index = end < 0 ? pattern.length : end + 1;
      } else index++;
    } else if (char === '[') index = classEnd(pattern, index);
    else if (char === '(') {
      stack.push(current);
      current = { repeats: false, alternates: false };
      if (pattern[index + 1] === '?') {
        const head = /^\?(?:P?<[^>]*>|[a-zA-Z-]*:?)/.exec(pattern.slice(index + 1, index + 80));
        if (head) index += head[0].length;
      }
    } else if (char === ')') {
      closed = current;
      const outer = stack.pop();
      if (!outer) return false;
      outer.repeats ||= closed.repeats;
      outer.alternates ||= closed.alternates;
      current = outer;
    } else if (char === '|') current.alternates = true;
    else {
      const quantifier = /^(?:[*+]|\{\d+,\d*\}|\{\d+\})/.exec(pattern.slice(index, index + 24))?.[0];
      if (quantifier === undefined) continue;
      index += quantifier.length - 1;
      if (before && (before.repeats || before.alternates)) return true;
      current.repeats = true;
      // Lazy and possessive suffixes belong to the quantifier.
      if (pattern[index + 1] === '?' || pattern[index + 1] === '+') index++;
    }
  }
  return false;
}

/**
 * Checks and compiles a regular expression from a user.
 *
 * In this process it runs on RE2 (an automaton: time is linear in the text whatever the pattern), so look-around and back
 * references do not exist. The same text may be sent to a database whose engine backtracks, therefore repetitions within
 * repeated groups are refused as well.
 *
 * @throws {RegexError} with a message for the user
 */
export function compileRegex(pattern: string): SafeRegex {
  if (pattern.length > MAX_REGEX_LENGTH) throw new RegexError(`longer than ${MAX_REGEX_LENGTH} characters`);
  let compiled: SafeRegex;
  try {
    compiled = compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw new RegexError(error.message);
    throw error;
  }
  if (hasNestedRepetition(pattern)) throw new RegexError('a repetition inside a repeated group is not allowed');
  return compiled;
}
