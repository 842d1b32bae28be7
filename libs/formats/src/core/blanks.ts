/**
 * The span without outer blanks and line ends. Unlike `trim`, it keeps no-break and other wide spaces.
 */
export function withoutBlanks(text: string, start: number, end: number): { start: number; end: number } {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return { start: from, end: to };
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
