const ISO_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Parses an ISO 8601 date or time to milliseconds since the epoch; without a zone as UTC. NaN for other texts and for days that do not
 * exist.
 */
export function isoTime(text: string): number {
  const match = ISO_TIME.exec(text);
  if (!match) return NaN;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  // Date.parse accepts the 29th to 31st of shorter months; other invalid values it rejects.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return NaN;
  const isZoned = text.length === 10 || /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10));
  return Date.parse(isZoned ? text : `${text}Z`);
}
