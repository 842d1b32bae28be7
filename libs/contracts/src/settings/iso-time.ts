const ISO_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Milliseconds since the epoch of an ISO 8601 date or time; without a zone it is UTC. NaN: the text is none, or it names a day that its
 * month does not have.
 */
export function isoTime(text: string): number {
  const match = ISO_TIME.exec(text);
  if (!match) return NaN;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  // Other days than the 29th to 31st of short months are looked at by the parser.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return NaN;
  const isZoned = text.length === 10 || /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10));
  return Date.parse(isZoned ? text : `${text}Z`);
}
