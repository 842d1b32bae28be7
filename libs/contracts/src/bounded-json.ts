import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Limits for JSON from clients. */
export interface JsonBounds {
  /** Maximum nesting depth. */
  depth: number;
  /** Maximum number of object members and list items, over all levels. */
  values: number;
}

/** The text exceeds its bounds or is not valid JSON. */
export class JsonError extends Error {}

/** Characters per slice; other tasks run between slices. */
const SLICE = 256 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;

/**
 * Parses JSON with a bounded depth and number of values. They are counted first, in slices: parsing millions of values would block
 * the event loop for seconds and need many times the memory of the text.
 * @throws JsonError
 */
export async function parseBoundedJson(text: string, bounds: JsonBounds): Promise<unknown> {
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let at = 0, end = 0; at < text.length;) {
    if (end > 0) await yieldToEventLoop();
    end = Math.min(end + SLICE, text.length);
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (inString) {
        if (code === BACKSLASH) at++;
        else if (code === QUOTE) inString = false;
      } else if (code === QUOTE) inString = true;
      else if (code === COMMA) values++;
      else if (isOpening(code)) {
        values++;
        if (++depth > bounds.depth) throw new JsonError(`The JSON is nested deeper than ${bounds.depth} levels.`);
      } else if (isClosing(code)) depth--;
    }
    if (values > bounds.values) throw new JsonError(`The JSON has more than ${bounds.values} values.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new JsonError(`The body is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}
