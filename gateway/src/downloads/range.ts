/** One range of a Range header: first and last byte (inclusive), first byte alone (to the end), or a number of last bytes. */
export interface ByteRange {
  first?: number;
  last?: number;
  suffix?: number;
}

/** Parses a Range header. Returns undefined for several ranges, other units and invalid syntax: the whole file is sent. */
export function readRange(header: string | undefined): ByteRange | undefined {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!found) return undefined;
  const [, first = '', last = ''] = found;
  if (first === '') return last === '' ? undefined : { suffix: Number(last) };
  if (last === '') return { first: Number(first) };
  return Number(first) <= Number(last) ? { first: Number(first), last: Number(last) } : undefined;
}
