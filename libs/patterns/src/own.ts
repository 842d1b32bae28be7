/** Escapes a text so that a regular expression of any engine in use matches exactly this text. */
export function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * Builds a native regular expression from constants of the source code, for expressions that are too long for one literal.
 * Native expressions backtrack: never pass a setting, a request or a part of a file. Use {@link compilePattern} for that input.
 */
export function ownRegExp(parts: string | readonly string[], flags = ''): RegExp {
  return new RegExp(typeof parts === 'string' ? parts : parts.join(''), flags);
}
