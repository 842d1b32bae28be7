import { documentSchema, objectSchema, optional, required, type DocumentOf } from '@parlance/store-kit';

/** Strings, words and characters. */
const tally = required(objectSchema({ s: required(Number), w: required(Number), c: required(Number) }));

const counters = objectSchema({
  all: tally,
  translated: tally,
  fuzzy: tally,
  approved: tally,
  readonly: tally,
  failing: tally,
  suggestions: tally,
  comments: tally,
  /** Number of failing and dismissed checks. */
  checks: required(Number),
  contentChanges: required(Number),
  /** Milliseconds since the epoch; 0: none. */
  lastChange: required(Number),
  lastAuthor: required(String),
  lastAuthorId: required(Number),
});

const language = objectSchema({
  id: required(Number),
  code: required(String),
  name: required(String),
  direction: required(String),
  pluralNumber: required(Number, { min: 1 }),
  pluralFormula: required(String),
});

export const translation = documentSchema('translations', {
  _id: required(Number),
  component: required(Number),
  project: required(Number),
  /** Canonical code; with the component it is unique. */
  languageCode: required(String),
  language: required(language),
  fileLanguageCode: required(String),
  filename: required(String),
  revision: required(String),
  isTemplate: required(Boolean),
  isSource: required(Boolean),
  counters: required(counters),
  version: required(Number, { min: 0 }),
  /** Hashes of the last counted outbox items: makes counting idempotent. */
  applied: required([Number]),
  /** Checks that compare several strings are due. */
  recheck: optional(Boolean),
  /** Distinguishes requests, so that clearing an old one keeps a newer one. */
  recheckMark: optional(String),
  /** Flags of the component or project changed: all checks are due. */
  rejudge: optional(Boolean),
  /** Id of the request, to keep a newer one. */
  rejudgeMark: optional(String),
  /** Id of the request to check glossary terms. */
  termsChanged: optional(String),
  /** Id of the request to publish the translation's event. */
  unannounced: optional(String),
  /** Time of the oldest write that no event reports, milliseconds since the epoch. Set with `unannounced`. */
  unannouncedSince: optional(Number),
  /** Last reserved position. Absent: the highest position of its strings. */
  end: optional(Number),
  /** Source translations: time of the last time-dependent checks of the component, milliseconds since the epoch. */
  timedChecks: optional(Number),
});
translation.index({ component: 1, languageCode: 1 }, { unique: true });
translation.index({ project: 1, languageCode: 1 });
translation.index({ recheck: 1 }, { partialFilterExpression: { recheck: true } });
translation.index({ rejudge: 1 }, { partialFilterExpression: { rejudge: true } });
translation.index({ termsChanged: 1 }, { partialFilterExpression: { termsChanged: { $exists: true } } });
translation.index({ timedChecks: 1 }, { partialFilterExpression: { isSource: true } });
translation.index({ unannounced: 1 }, { partialFilterExpression: { unannounced: { $exists: true } } });
translation.index({ languageCode: 1 });
export type TranslationDocument = DocumentOf<typeof translation>;
