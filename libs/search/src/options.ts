export interface ParseOptions {
  /** Current time in milliseconds since 1970 for relative dates. Default: the system clock. */
  now?: number;
  /** The number of a change action given by its label or its slug (`Resource updated`, `resource-updated`). */
  changeAction?: (label: string) => number | undefined;
  /** Maximum length of a query in characters. */
  maxLength?: number;
  /** Maximum nesting of parentheses and NOT. */
  maxDepth?: number;
  /** Maximum number of terms in a query. */
  maxTerms?: number;
}

export const DEFAULT_MAX_LENGTH = 8000;
export const DEFAULT_MAX_DEPTH = 40;
export const DEFAULT_MAX_TERMS = 200;
