import { documentSchema, objectSchema, optional, required, type DocumentOf } from '@parlance/store-kit';

const language = objectSchema({ id: required(Number), code: required(String) });

/** An entry of the translation memory; fields that are 0 or false are omitted. */
export const memory = documentSchema('memory', {
  _id: required(Number),
  /** Key of the language pair. */
  pair: required(String),
  sourceHash: required(Number),
  /** Identity among entries of the same source. */
  hash: required(String),
  source: required(String),
  target: required(String),
  sourceLanguage: required(language),
  targetLanguage: required(language),
  origin: required(String),
  project: optional(Number),
  user: optional(Number),
  fromFile: optional(Boolean),
  shared: optional(Boolean),
  stamp: required(Number),
  /** The entry is missing from the index, or its owners have changed. */
  fresh: optional(Number),
});
memory.index({ pair: 1, sourceHash: 1, hash: 1 }, { unique: true });
memory.index({ pair: 1, stamp: 1 });
memory.index({ pair: 1, fresh: -1 }, { partialFilterExpression: { fresh: { $gt: 0 } } });
memory.index({ project: 1 });
memory.index({ user: 1 }, { partialFilterExpression: { user: { $exists: true } } });
export type MemoryDocument = DocumentOf<typeof memory>;
