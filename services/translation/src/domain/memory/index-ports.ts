import type { VisibleEntries } from './ports';

/** A part of the index of a language pair. Segments are never changed. */
export interface StoredSegment {
  id: string;
  pair: string;
  /** Number of texts. */
  size: number;
}

export interface SourceText {
  /** Hash of the text. */
  source: number;
  text: string;
}

/** An entry that no segment contains yet. */
export interface FreshEntry extends SourceText {
  id: number;
  pair: string;
  project: number;
  user: number;
  shared: boolean;
  /** Changes when the entry is marked again. */
  mark: number;
}

/** Key of the texts, or of a chunk of postings, of a segment. */
export const segmentKey = (id: string, part: 'texts' | number): string => `${id}.${part}`;

/** Reads the index of the translation memory. */
export interface MemoryIndexReader {
  /** Whether entries outside of the segments are marked. */
  isReady(): Promise<boolean>;
  /** Sources of marked entries of a pair that the reader may use. Reads so many marked entries at most, the newest ones first. */
  freshSources(pair: string, visible: VisibleEntries, limit: number): Promise<SourceText[]>;
  /** Sources of entries of a pair that the reader may use, in no particular order. */
  anySources(pair: string, visible: VisibleEntries, limit: number): Promise<SourceText[]>;
  segments(pair: string): Promise<StoredSegment[]>;
  /** In the order of the keys. @throws BrokenIndexError */
  documents(keys: readonly string[]): Promise<Buffer[]>;
  /** Requests that the index is built again; until then it is not used. */
  requestRebuild(): Promise<void>;
}

/** Writes the index of the translation memory. */
export interface MemoryIndexWriter {
  /** Acquires or renews the right to write the index. It avoids double work; correctness does not depend on it. */
  lease(holder: string, forMs: number): Promise<boolean>;
  /** Lets another process acquire the lease at once. */
  releaseLease(holder: string): Promise<void>;
  /** Milliseconds since the epoch at which the build of the index began; null: it must be built. */
  builtSince(): Promise<number | null>;
  /** Deletes all segments and marks all entries, a batch at a time, while `goOn` returns true. */
  build(since: number, goOn: () => Promise<boolean>): Promise<void>;
  /** Whether entries that processes of a former version added since the build began have been marked. */
  isComplete(): Promise<boolean>;
  /** Marks these entries. */
  complete(since: number): Promise<void>;
  freshEntries(limit: number): Promise<FreshEntry[]>;
  /**
   * Records that no entry has a mark up to a time, in milliseconds since the epoch: look-ups skip older marks. The store's index keeps
   * cleared marks until it is vacuumed, and reading past them costs more than the rest of a look-up.
   */
  noteCleared(until: number): Promise<void>;
  /** Clears the marks of entries that still have them. */
  clearFresh(entries: readonly Pick<FreshEntry, 'id' | 'mark'>[]): Promise<void>;
  allSegments(): Promise<StoredSegment[]>;
  addDocuments(documents: readonly { key: string; data: Buffer }[]): Promise<void>;
  /** Adds a segment whose documents are stored. */
  addSegment(segment: StoredSegment): Promise<void>;
  /** Removes segments from the index. Searches in progress may read their documents until they are garbage. */
  removeSegments(ids: readonly string[]): Promise<void>;
  /** Current owners of the entries, by source. */
  owners(pair: string, sources: readonly number[]): Promise<Map<number, number[]>>;
  /** Deletes documents that belong to no segment and were written before a time. */
  deleteGarbage(before: number): Promise<void>;
}
