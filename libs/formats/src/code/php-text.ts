const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  v: '\v',
  e: '\x1b',
  f: '\f',
  '\\': '\\',
  $: '$',
  '"': '"',
};

/** Decodes a double-quoted text without variables. */
export function unescapeDouble(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([ntrvef\\$"]))/g,
    (whole, point?: string, hex?: string, octal?: string, char?: string) => {
      if (char !== undefined) return ESCAPES[char] as string;
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff);
      const code = parseInt(point ?? hex ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** Decodes a single-quoted text. */
export function unescapeSingle(raw: string): string {
  return raw.includes('\\') ? raw.replace(/\\([\\'])/g, '$1') : raw;
}
