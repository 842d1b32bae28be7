/** Why a query was refused. */
export type SearchErrorReason =
  'too_long' | 'too_deep' | 'too_many_terms' | 'syntax' | 'unknown_field' | 'bad_operator' | 'bad_value' | 'bad_regex';

/** A query that cannot be understood. The message is fit for the user who wrote it. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  constructor(
    readonly reason: SearchErrorReason,
    /** 0-based offset of the term in the query. */
    readonly position: number,
    /** The term (or the piece of the query) that is at fault. */
    readonly term: string,
    message: string,
  ) {
    super(message);
  }
}
