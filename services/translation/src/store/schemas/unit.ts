import { documentSchema, objectSchema, optional, required, typed, type DocumentOf } from '@parlance/store-kit';
import type { CounterDelta } from '../../domain/counters';
import { author } from './author';
import { changeFields } from './change';

const pendingEdit = objectSchema({
  id: required(String),
  author: required(author),
  target: required([String]),
  state: required(Number),
  /** Milliseconds since the epoch. */
  time: required(Number),
  /** The edit adds the string to its file. */
  adds: optional(Boolean),
  /** The file cannot hold the edit; recorded in the history. */
  refused: optional(Boolean),
  /** The last edits of the same author that this one replaced. */
  replaced: optional([objectSchema({ id: required(String), target: required([String]), state: required(Number) })]),
});

/** Effects of a write to a unit that are not durable yet. */
const outboxItem = objectSchema({
  id: required(String),
  /** Milliseconds since the epoch. */
  time: required(Number),
  translation: required(Number),
  // Only the groups that changed.
  delta: required(typed<CounterDelta>()),
  changes: required([objectSchema({ id: required(Number), ...changeFields, once: optional(String) })]),
  /** Input of checks that compare several strings; absent: the write does not affect them. */
  touched: optional(objectSchema({ texts: required([[String]]), failing: required(Boolean) })),
  /** Copy of the edit for strings with the same source in other components; absent: it does not propagate. */
  propagation: optional(
    objectSchema({
      target: required([String]),
      state: required(Number),
      author: required(author),
      components: required([objectSchema({ id: required(Number), mayReview: required(Boolean) })]),
    }),
  ),
});

/** A stored unit: fields that are empty, false or 0 are omitted, so that a document has about 300 bytes. */
export const unit = documentSchema('units', {
  _id: required(Number),
  /** Negated for a removed unit; see `REMOVAL`. */
  translation: required(Number),
  component: required(Number),
  project: required(Number),
  language: required(String),
  isSource: optional(Boolean),
  key: required(String),
  contentHash: required(String),
  position: required(Number),
  source: required([String]),
  target: required([String]),
  previousSource: optional([String]),
  context: optional(String),
  note: optional(String),
  location: optional(String),
  flags: optional(String),
  state: required(Number),
  formerState: optional(Number),
  checks: optional([String]),
  dismissedChecks: optional([String]),
  words: required(Number, { min: 0 }),
  chars: required(Number, { min: 0 }),
  priority: optional(Number),
  explanation: optional(String),
  extraFlags: optional(String),
  labels: optional([Number]),
  suggestions: optional(Number, { min: 0 }),
  comments: optional(Number, { min: 0 }),
  sourceUnit: required(Number),
  pending: optional(Boolean),
  edits: optional([pendingEdit]),
  stored: optional(objectSchema({ target: required([String]), state: required(Number) })),
  created: required(Number),
  updated: required(Number),
  version: required(Number, { min: 0 }),
  outbox: optional([outboxItem]),
  /** There are outbox items. */
  announcing: optional(Boolean),
  /** Id of the last write without an outbox item. */
  wrote: optional(String),
  /** Added to a listed translation; keys of such units are unique. */
  added: optional(Boolean),
  /** A source unit that has, or once had, labels, an explanation or extra flags. */
  curated: optional(Boolean),
  /** Its texts were written, or it was removed, since it was indexed for searches. */
  fresh: optional(Boolean),
  /** Hash of a non-blank target; see `textKey`. */
  text: optional(Number),
});
/** Indexes that queries name as a hint: without it, planners may read all units, or all with a higher id. */
export const unitIndexes = {
  translation: { translation: 1, _id: 1 },
  outbox: { announcing: 1 },
  fresh: { fresh: 1 },
} as const;
unit.index(unitIndexes.translation);
// An ordered index over all units halves the speed of imports, so there is only one; a hashed index costs a tenth of that. The partial
// indexes contain few units. A unique index is needed only for keys added to listed translations, where users and imports race: a
// single process imports a new translation.
unit.index({ contentHash: 'hashed' });
unit.index({ text: 'hashed' }, { partialFilterExpression: { text: { $exists: true } } });
unit.index({ translation: 1, key: 1 }, { unique: true, partialFilterExpression: { added: true } });
unit.index({ component: 1, pending: 1 }, { partialFilterExpression: { pending: true } });
unit.index({ curated: 1, translation: 1 }, { partialFilterExpression: { curated: true } });
unit.index(unitIndexes.outbox, { partialFilterExpression: { announcing: true } });
unit.index(unitIndexes.fresh, { partialFilterExpression: { fresh: true } });
export type UnitDocument = DocumentOf<typeof unit>;
