import { documentSchema, optional, required, type DocumentOf } from '@parlance/store-kit';

/** Parts of dictionaries and chunks of postings; they are never changed. */
export const searchDocument = documentSchema('searchdocuments', {
  _id: required(String),
  data: required(Buffer),
  /** Of a part of a dictionary. */
  starts: optional([Number]),
  sum: required(Number),
});

/** Block of the search index. */
export const searchBlock = documentSchema('searchblocks', {
  _id: required(Number),
  version: required(String),
  generation: required(String),
  parts: required(Number),
  runs: required(Buffer),
  amendments: required(Buffer),
  sum: required(Number),
});

/**
 * A translation whose units are inserted or removed in bulk: the search index does not answer for them. While the translation is not listed,
 * only this document says which component its units belong to.
 */
export const searchOpen = documentSchema('searchopen', {
  _id: required(Number),
  mark: required(String),
  /** Milliseconds since the epoch. */
  time: required(Number),
  /** Absent: its component is known from the listed translation. */
  component: optional(Number),
  removal: optional(Boolean),
  /** The insertion or removal ended early and its units are indexed; the document only says where they are. */
  abandoned: optional(Boolean),
});

/** States of the search index and of the index of the translation memory, and the leases of their writers. */
export const searchState = documentSchema('searchstate', {
  _id: required(String),
  ready: optional(Boolean),
  since: optional(Number),
  blocks: optional([Number]),
  complete: optional(Boolean),
  /** Memory: entries have no marks up to this time, milliseconds since the epoch. */
  clearedUntil: optional(Number),
  holder: optional(String),
  until: optional(Number),
});

export type SearchDocument = DocumentOf<typeof searchDocument>;
export type SearchBlockDocument = DocumentOf<typeof searchBlock>;
export type SearchOpenDocument = DocumentOf<typeof searchOpen>;
export type SearchStateDocument = DocumentOf<typeof searchState>;
