/** Characters with a meaning outside of bracket expressions. */
const SPECIAL = '.^$|()[]{}*+?\\';

/**
 * Texts that every match of a regular expression contains, in RE2 syntax. Only literal characters outside of groups count; patterns with
 * alternatives or flags at the top level have none.
 */
export function literalsOf(pattern: string): string[] {
  const found: string[] = [];
  let current = '';
  const flush = (): void => {
    if (current !== '') found.push(current);
    current = '';
  };
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; at++) {
    let character = characters[at]!;
    if (character === '|') return [];
    if (character === '(') {
      if (characters[at + 1] === '?') return [];
      const end = groupEnd(characters, at);
      if (end < 0) return [];
      flush();
      at = end;
      continue;
    }
    if (character === '[') {
      const end = classEnd(characters, at);
      if (end < 0) return [];
      flush();
      at = end;
      continue;
    }
    if (character === '\\') {
      const escaped = characters[++at];
      // Escaped letters and digits are classes, assertions or codes.
      if (escaped === undefined || /[\p{L}\p{N}]/u.test(escaped)) {
        if (escaped === undefined || !'bBdDsSwW'.includes(escaped)) return [];
        flush();
        continue;
      }
      character = escaped;
    } else if (character === '*' || character === '?' || character === '{') {
      // The character before the quantifier is optional.
      current = Array.from(current).slice(0, -1).join('');
      flush();
      if (character === '{') {
        const end = characters.indexOf('}', at);
        if (end < 0) return [];
        at = end;
      }
      continue;
    } else if (SPECIAL.includes(character)) {
      flush();
      continue;
    }
    current += character;
  }
  flush();
  return found;
}

/** Position of the bracket that closes a group without flags. @returns -1 for groups this parser does not follow */
function groupEnd(characters: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === '\\') {
      if (characters[at + 1] === 'Q') return -1;
      at++;
    } else if (character === '[') {
      at = classEnd(characters, at);
      if (at < 0) return -1;
    } else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at;
  }
  return -1;
}

/** Position of the end of a bracket expression. @returns -1 for expressions this parser does not follow */
function classEnd(characters: readonly string[], start: number): number {
  let at = start + 1;
  if (characters[at] === '^') at++;
  if (characters[at] === ']') at++;
  for (; at < characters.length; at++) {
    if (characters[at] === '\\') {
      if (characters[at + 1] === 'Q') return -1;
      at++;
    } else if (characters[at] === '[' && characters[at + 1] === ':') return -1;
    else if (characters[at] === ']') return at;
  }
  return -1;
}
