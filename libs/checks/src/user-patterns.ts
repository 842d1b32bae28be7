import { compilePattern, type Pattern as UserPattern } from '@parlance/patterns';
import type { Flags, FlagValue } from './flags';

/**
 * The expression with `\\w` and `\\d` that match letters and digits of every script, as users write them for translations;
 * RE2 takes those of ASCII.
 */
function withUnicodeClasses(regex: string): string {
  let inClass = false;
  return regex.replace(/\\[^]|[[\]]/g, (part) => {
    if (part === '[') inClass = true;
    else if (part === ']') inClass = false;
    else if (part === '\\d') return '\\p{Nd}';
    else if (part === '\\w') return inClass ? '\\p{L}\\p{M}\\p{N}_' : '[\\p{L}\\p{M}\\p{N}_]';
    else if (part === '\\W' && !inClass) return '[^\\p{L}\\p{M}\\p{N}_]';
    return part;
  });
}

/** Something to look for that a user gave in a flag. */
interface Pattern {
  /** All occurrences, as they stand in the text. */
  find(text: string): string[];
}

function literal(value: string, ignoreCase: boolean): Pattern {
  const wanted = ignoreCase ? value.toLowerCase() : value;
  return {
    find(text) {
      const found: string[] = [];
      if (wanted === '') return found;
      const searched = ignoreCase ? text.toLowerCase() : text;
      for (let index = searched.indexOf(wanted); index >= 0; index = searched.indexOf(wanted, index + wanted.length)) {
        found.push(wanted);
      }
      return found;
    },
  };
}

function expression(regex: string, ignoreCase: boolean): Pattern {
  const compiled = compilePattern(withUnicodeClasses(regex), { ignoreCase });
  return {
    find: (text) => compiled.findAll(text).map((match) => (ignoreCase ? match.toLowerCase() : match)),
  };
}

const placeholderPatterns = new WeakMap<Flags, readonly Pattern[]>();

function patternsOf(flags: Flags): readonly Pattern[] {
  let patterns = placeholderPatterns.get(flags);
  if (!patterns) {
    const ignoreCase = flags.has('case-insensitive');
    const make = (value: FlagValue): Pattern =>
      typeof value === 'string' ? literal(value, ignoreCase) : expression(value.regex, ignoreCase);
    patterns = (flags.values('placeholders') ?? []).map(make);
    placeholderPatterns.set(flags, patterns);
  }
  return patterns;
}

/** All occurrences of what the `placeholders` flag lists. */
export function findPlaceholders(text: string, flags: Flags): string[] {
  return patternsOf(flags).flatMap((pattern) => pattern.find(text));
}

const required = new WeakMap<Flags, UserPattern>();

/** Whether the pattern of the `regex` flag is found in the text. */
export function matchesRequired(text: string, flags: Flags): boolean {
  let regex = required.get(flags);
  if (!regex) {
    const value = flags.value('regex');
    if (value === undefined) return true;
    regex = compilePattern(withUnicodeClasses(value));
    required.set(flags, regex);
  }
  return regex.test(text);
}

/** The text with the pairs of the `replacements` flag put in, as it will be shown. */
export function applyReplacements(text: string, flags: Flags): string {
  const values = flags.values('replacements');
  if (!values) return text;
  let result = text;
  for (let index = 0; index + 1 < values.length; index += 2) {
    const [from, to] = [String(values[index]), String(values[index + 1])];
    if (from !== '') result = result.replaceAll(from, () => to);
  }
  return result;
}
