import { documentSchema, required, type DocumentOf } from '@parlance/store-kit';

/** A part of the index of a language pair. */
export const memorySegment = documentSchema('memorysegments', {
  _id: required(String),
  pair: required(String),
  size: required(Number),
});
memorySegment.index({ pair: 1 });

/** Columns and postings of segments; they are never changed. */
export const memoryDocument = documentSchema('memorydocuments', {
  _id: required(String),
  data: required(Buffer),
  sum: required(Number),
});

export type MemorySegmentDocument = DocumentOf<typeof memorySegment>;
export type MemoryIndexDocument = DocumentOf<typeof memoryDocument>;
