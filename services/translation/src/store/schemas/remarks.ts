import { documentSchema, optional, required, type DocumentOf } from '@parlance/store-kit';
import { author } from './author';

/** The unit of a remark and where it is. */
const place = {
  unit: required(Number),
  translation: required(Number),
  component: required(Number),
  project: required(Number),
};

export const suggestion = documentSchema('suggestions', {
  _id: required(Number),
  ...place,
  target: required([String]),
  user: required(Number),
  time: required(Number),
  /** Unique idempotency key of a conflict. */
  origin: optional(String),
  /** Users who voted for it, where suggestions are voted on; the first is its author. */
  votes: optional([Number]),
  author: optional(author),
});
suggestion.index({ unit: 1 });
suggestion.index({ component: 1 });
suggestion.index({ origin: 1 }, { unique: true, partialFilterExpression: { origin: { $exists: true } } });
suggestion.index({ translation: 1 });
export type SuggestionDocument = DocumentOf<typeof suggestion>;

export const comment = documentSchema('comments', {
  _id: required(Number),
  ...place,
  text: required(String),
  user: required(Number),
  time: required(Number),
  resolved: optional(Boolean),
  /** It reports a mistake in the source string. */
  report: optional(Boolean),
});
comment.index({ unit: 1 });
comment.index({ translation: 1 });
comment.index({ component: 1 });
export type CommentDocument = DocumentOf<typeof comment>;
