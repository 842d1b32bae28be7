import { compilePattern, type Pattern } from '@parlance/patterns';
import type { Flags, FlagValue } from '../flags/flags';

/**
 * Extends `\\w` and `\\d` to the letters and digits of all scripts, because users write patterns for translations.
 * RE2 limits both classes to ASCII.
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

/** A search pattern from a flag. */
interface FlagPattern {
  /** All occurrences in text order. */
  find(text: string): string[];
}

function literal(value: string, ignoreCase: boolean): FlagPattern {
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

function expression(regex: string, ignoreCase: boolean): FlagPattern {
  const compiled = compilePattern(withUnicodeClasses(regex), { ignoreCase });
  return {
    find: (text) => compiled.findAll(text).map((match) => (ignoreCase ? match.toLowerCase() : match)),
  };
}

const placeholderPatterns = new WeakMap<Flags, readonly FlagPattern[]>();

function patternsOf(flags: Flags): readonly FlagPattern[] {
  let patterns = placeholderPatterns.get(flags);
  if (!patterns) {
    const ignoreCase = flags.has('case-insensitive');
    const make = (value: FlagValue): FlagPattern =>
      typeof value === 'string' ? literal(value, ignoreCase) : expression(value.regex, ignoreCase);
    patterns = (flags.values('placeholders') ?? []).map(make);
    placeholderPatterns.set(flags, patterns);
  }
  return patterns;
}

/** All occurrences of the placeholders that the `placeholders` flag lists. */
export function findPlaceholders(text: string, flags: Flags): string[] {
  return patternsOf(flags).flatMap((pattern) => pattern.find(text));
}

const requiredPatterns = new WeakMap<Flags, Pattern>();

/** Whether the text matches the pattern of the `regex` flag; true without the flag. */
export function matchesRequired(text: string, flags: Flags): boolean {
  let regex = requiredPatterns.get(flags);
  if (!regex) {
    const value = flags.value('regex');
    if (value === undefined) return true;
    regex = compilePattern(withUnicodeClasses(value));
    requiredPatterns.set(flags, regex);
  }
  return regex.test(text);
}

/** The text after the substitutions of the `replacements` flag, as applications show it. */
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
