function endOf(text: string, chars: string, from: number): number {
  let end = text.length;
  while (end > from && chars.includes(text[end - 1]!)) end--;
  return end;
}

/** The text without the given characters at its end. Linear, unlike `/[chars]+$/`, which starts again at every character. */
export const trimEndOf = (text: string, chars: string): string => text.slice(0, endOf(text, chars, 0));

/** The text without the given characters at both ends. */
export function trimOf(text: string, chars: string): string {
  let start = 0;
  while (start < text.length && chars.includes(text[start]!)) start++;
  return text.slice(start, endOf(text, chars, start));
}
