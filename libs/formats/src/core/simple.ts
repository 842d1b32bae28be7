/** Thrown by a fast scanner outside its subset of the syntax. */
export class NotSimple extends Error {}

/** Runs a fast scanner. Returns undefined if the full parser is needed. */
export function ifSimple<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    // A regular expression can overflow on megabytes of text. The full parser reads by character.
    if (error instanceof NotSimple || error instanceof RangeError) return undefined;
    throw error;
  }
}
