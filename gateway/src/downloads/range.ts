/** One range of bytes, as the Range header asks for it: first and last (inclusive), first alone (to the end), or the last so many. */
export interface ByteRange {
  first?: number;
  last?: number;
  suffix?: number;
}

/** Reads a Range header. Several ranges, other units and what does not parse are undefined: the whole is sent. */
export function readRange(header: string | undefined): ByteRange | undefined {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!found) return undefined;
  const [, first = '', last = ''] = found;
  if (first === '') return last === '' ? undefined : { suffix: Number(last) };
  if (last === '') return { first: Number(first) };
  return Number(first) <= Number(last) ? { first: Number(first), last: Number(last) } : undefined;
}
