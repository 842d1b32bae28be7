import type { Amendment, Run } from './postings';
import type { StoredPart } from './dictionary';
import type { Unit } from '../unit';

/** Index of the units with consecutive ids; see `docs/architecture/search.md`. */
export interface IndexBlock {
  id: number;
  /** Changes with every write; random. */
  version: string;
  /** Names the documents of the dictionary and the postings, which never change: the time in base 36, `-`, a random text. */
  generation: string;
  /** Number of parts of the dictionary. */
  parts: number;
  /** The indexed units and their translations. */
  runs: readonly Run[];
  /** Units whose postings are replaced. */
  amendments: readonly Amendment[];
}

/** A translation whose units the index does not answer for. */
export interface OpenTranslation {
  translation: number;
  /** Distinguishes requests. */
  mark: string;
  /** Milliseconds since the epoch. */
  time: number;
  /** Its units are being removed. */
  removal: boolean;
}

export type UnitTexts = Pick<Unit, 'id' | 'version' | 'translation' | 'source' | 'target' | 'context'>;

export interface IndexState {
  /** Every unit outside the index is marked. */
  ready: boolean;
  /** Since when the index waits to be built, milliseconds since the epoch. */
  since: number;
  /** Ids of the blocks that must exist. */
  blocks: readonly number[];
}

/** A document of the index is missing or invalid. */
export class BrokenIndexError extends Error {
  override readonly name = 'BrokenIndexError';
}

/** Reads the search index. */
export interface SearchIndexReader {
  state(): Promise<IndexState | null>;
  /** Units written since they were indexed; a removed unit has a negative translation. */
  freshUnits(limit: number): Promise<{ id: number; translation: number }[]>;
  openTranslations(): Promise<OpenTranslation[]>;
  blockVersions(): Promise<Map<number, string>>;
  /** @throws BrokenIndexError */
  blocks(ids: readonly number[]): Promise<IndexBlock[]>;
  /** @throws BrokenIndexError */
  part(block: Pick<IndexBlock, 'id' | 'generation'>, part: number): Promise<StoredPart>;
  /** In the order of the keys `part.chunk`. @throws BrokenIndexError */
  chunks(block: Pick<IndexBlock, 'id' | 'generation'>, keys: readonly string[]): Promise<Uint8Array[]>;
  /** Requests that the index is built again; until then it is not used. */
  requestRebuild(): Promise<void>;
}

/** Writes the search index. */
export interface SearchIndexWriter {
  /** Acquires or renews the right to write the index. It avoids double work; correctness does not depend on it. */
  lease(holder: string, forMs: number): Promise<boolean>;
  /** Lets another process acquire the lease at once. */
  releaseLease(holder: string): Promise<void>;
  createState(since: number): Promise<void>;
  anyUnit(): Promise<boolean>;
  /** Deletes all blocks and marks all translations as open, then sets the index ready. */
  beginBuild(): Promise<void>;
  freshTexts(limit: number): Promise<UnitTexts[]>;
  /** Texts of a translation's units, by id. @param after id of the last unit read */
  textsAfter(translation: number, after: number, limit: number): Promise<UnitTexts[]>;
  /** Clears the marks of units that still have their version. */
  clearFresh(units: readonly Pick<UnitTexts, 'id' | 'version'>[]): Promise<void>;
  /** Clears the mark, unless it is a newer one. */
  clearOpen(open: Pick<OpenTranslation, 'translation' | 'mark'>): Promise<void>;
  /** Ends the mark of a translation that is not listed, unless it is a newer one. Its units are still found for their removal. */
  abandonOpen(open: Pick<OpenTranslation, 'translation' | 'mark'>): Promise<void>;
  addDocuments(documents: readonly { id: string; data: Buffer; starts?: number[] }[]): Promise<void>;
  /** Replaces a block that still has the version; null: there is none. @returns false when it was written by another process */
  replaceBlock(block: IndexBlock, version: string | null): Promise<boolean>;
  /** Deletes documents of former generations that were created before a time. */
  deleteGarbage(before: number): Promise<void>;
}

export const documentId = (block: Pick<IndexBlock, 'id' | 'generation'>, key: string): string =>
  `${block.id}.${block.generation}.${key}`;
