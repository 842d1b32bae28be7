import { FLAG_ALIASES, Flags, parseFlags } from '@parlance/checks';

/** Flags as a person wrote them, with one more. */
export function withFlag(text: string, name: string): string {
  if (parseFlags(text, { lenient: true }).has(name)) return text;
  return text.trim() === '' ? name : `${text.trim()}, ${name}`;
}

/** Flags as a person wrote them, without one. In canonical form where quoted values make the text ambiguous. */
export function withoutFlag(text: string, name: string): string {
  const flags = parseFlags(text, { lenient: true });
  if (!flags.has(name)) return text;
  if (/["'\\]/.test(text)) return new Flags([...flags].filter(([key]) => key !== name)).toString();
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => (FLAG_ALIASES.get(part) ?? part) !== name).join(', ');
}
