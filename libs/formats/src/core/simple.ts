/** Thrown by a reader of what files usually consist of, where the text holds anything else. */
export class NotSimple extends Error {}

/** What such a reader gives; undefined for a text that is left to the reader of everything. */
export function ifSimple<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    // A text of megabytes can be too much for an expression; the other reader goes character by character.
    if (error instanceof NotSimple || error instanceof RangeError) return undefined;
    throw error;
  }
}
