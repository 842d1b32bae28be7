import { documentSchema, optional, required, typed, type DocumentOf } from '@parlance/store-kit';

/** Fields of a history entry, besides its id. */
export const changeFields = {
  action: required(Number),
  time: required(Number),
  project: required(Number),
  component: required(Number),
  translation: required(Number),
  unit: required(Number),
  language: required(String),
  /** Acting user; 0: no account. */
  user: required(Number),
  /** Author of the text. */
  author: required(Number),
  target: required(String),
  old: required(String),
  // Free keys: each action defines its own.
  details: required(typed<Record<string, unknown>>()),
};

export const change = documentSchema('changes', {
  _id: required(Number),
  ...changeFields,
  /** Unique idempotency key: `once` of the change. */
  event: optional(String),
});
change.index({ time: -1, _id: -1 });
change.index({ unit: 1, time: -1, _id: -1 });
change.index({ translation: 1, time: -1, _id: -1 });
change.index({ component: 1, time: -1, _id: -1 });
change.index({ project: 1, time: -1, _id: -1 });
change.index({ user: 1, time: -1, _id: -1 });
// Without it, rare actions require a scan of the whole history.
change.index({ action: 1, time: -1, _id: -1 });
change.index({ event: 1 }, { unique: true, partialFilterExpression: { event: { $exists: true } } });
export type ChangeDocument = DocumentOf<typeof change>;
