/** Whether two language codes are equal ignoring case and separators. */
export function sameLanguage(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && normalise(a) === normalise(b);
}

function normalise(code: string): string {
  return code.toLowerCase().replaceAll('_', '-');
}

/** The code in a file that matches a language: equal, or with the same base language. */
export function pickLanguage(codes: readonly string[], wanted: string | undefined): string | undefined {
  if (wanted === undefined) return undefined;
  const base = normalise(wanted).split('-', 1)[0] as string;
  return (
    codes.find((code) => sameLanguage(code, wanted)) ??
    codes.find((code) => normalise(code) === base) ??
    codes.find((code) => normalise(code).split('-', 1)[0] === base)
  );
}
