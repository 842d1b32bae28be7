import { InvalidArgumentError } from 'commander';

/** Lines of aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A time in UTC, rounded down to minutes; `never` for 0. */
export function formatTime(ms: number): string {
  return ms === 0 ? 'never' : new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** The same for JSON: ISO 8601 or null. */
export function isoOrNull(ms: number): string | null {
  return ms === 0 ? null : new Date(ms).toISOString();
}

/** Parses a position in a stream. @throws InvalidArgumentError */
export function position(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Give a number from 1.');
  return Number(text);
}

/** Parses a duration in seconds, up to a day. @throws InvalidArgumentError */
export function seconds(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > 86_400)
    throw new InvalidArgumentError('Give a number of seconds from 1 to 86400.');
  return number;
}

/** Parses the number of rows. @throws InvalidArgumentError */
export function count(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > 1000)
    throw new InvalidArgumentError('Give a number from 1 to 1000.');
  return number;
}
