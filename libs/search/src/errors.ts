/** Reason why a query is invalid. */
export type SearchErrorReason =
  'too_long' | 'too_deep' | 'too_many_terms' | 'syntax' | 'unknown_field' | 'bad_operator' | 'bad_value' | 'bad_regex';

/** A query is invalid. The message is shown to its author. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  constructor(
    readonly reason: SearchErrorReason,
    /** 0-based offset of the term in the query. */
    readonly position: number,
    /** The invalid term or part of the query. */
    readonly term: string,
    message: string,
  ) {
    super(message);
  }
}
