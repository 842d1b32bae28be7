export interface ParseOptions {
  /** The present, in milliseconds since 1970, for relative dates; the clock by default. */
  now?: number;
  /** The number of a change action given by its label or its slug (`Resource updated`, `resource-updated`). */
  changeAction?: (label: string) => number | undefined;
  /** Longest query in characters. */
  maxLength?: number;
  /** Deepest nesting of brackets and NOT. */
  maxDepth?: number;
  /** Most terms in a query. */
  maxTerms?: number;
}

export const DEFAULT_MAX_LENGTH = 8000;
export const DEFAULT_MAX_DEPTH = 40;
export const DEFAULT_MAX_TERMS = 200;
