import {
  counterSchema,
  documentSchema,
  optional,
  required,
  typed,
  type CounterDocument,
  type DocumentOf,
} from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import { author } from './schemas/author';
import { change, type ChangeDocument } from './schemas/change';
import { font, type FontDocument } from './schemas/font';
import { memory, type MemoryDocument } from './schemas/memory';
import {
  memoryDocument,
  memorySegment,
  type MemoryIndexDocument,
  type MemorySegmentDocument,
} from './schemas/memory-index';
import { comment, suggestion, type CommentDocument, type SuggestionDocument } from './schemas/remarks';
import {
  searchBlock,
  searchDocument,
  searchOpen,
  searchState,
  type SearchBlockDocument,
  type SearchDocument,
  type SearchOpenDocument,
  type SearchStateDocument,
} from './schemas/search-index';
import { translation, type TranslationDocument } from './schemas/translation';
import { unit, type UnitDocument } from './schemas/unit';

/** A string that was deleted here and is still in the repository's file. */
const removal = documentSchema('removals', {
  _id: required(String),
  component: required(Number),
  translation: required(Number),
  /** Key of the removed unit. */
  key: required(String),
  author: required(author),
  time: required(Number),
  /** A source string of `new_base`. */
  ofBase: optional(typed<true>(Boolean)),
  addedAgain: optional(Boolean),
});
removal.index({ component: 1 });

/** Encrypted settings of a project's machine translation engines. */
const machinery = documentSchema('machinery', {
  _id: required(Number),
  // By engine.
  services: required(typed<Record<string, string>>()),
  version: required(Number, { min: 1 }),
});

/** Newest lease under which files of a component were imported. */
const fencingToken = documentSchema('fencingtokens', {
  _id: required(Number),
  repository: required(String),
  token: required(Number),
});

/** Leases of automatic translations in progress, by translation. */
const autotranslateLease = documentSchema('autotranslateleases', {
  _id: required(Number),
  holder: required(String),
  /** Milliseconds since the epoch. */
  until: required(Number),
});

/** The models of the translation service on a connection. */
export function makeModels(connection: Connection) {
  return {
    units: connection.model<UnitDocument>('Unit', unit),
    translations: connection.model<TranslationDocument>('Translation', translation),
    changes: connection.model<ChangeDocument>('Change', change),
    suggestions: connection.model<SuggestionDocument>('Suggestion', suggestion),
    comments: connection.model<CommentDocument>('Comment', comment),
    removals: connection.model<DocumentOf<typeof removal>>('Removal', removal),
    memory: connection.model<MemoryDocument>('Memory', memory),
    memorySegments: connection.model<MemorySegmentDocument>('MemorySegment', memorySegment),
    memoryDocuments: connection.model<MemoryIndexDocument>('MemoryDocument', memoryDocument),
    machinery: connection.model<DocumentOf<typeof machinery>>('Machinery', machinery),
    fonts: connection.model<FontDocument>('Font', font),
    fencingTokens: connection.model<DocumentOf<typeof fencingToken>>('FencingToken', fencingToken),
    autotranslateLeases: connection.model<DocumentOf<typeof autotranslateLease>>(
      'AutotranslateLease',
      autotranslateLease,
    ),
    searchDocuments: connection.model<SearchDocument>('SearchDocument', searchDocument),
    searchBlocks: connection.model<SearchBlockDocument>('SearchBlock', searchBlock),
    searchOpen: connection.model<SearchOpenDocument>('SearchOpen', searchOpen),
    searchState: connection.model<SearchStateDocument>('SearchState', searchState),
    counters: connection.model<CounterDocument>('Counter', counterSchema()),
  };
}

export type Models = ReturnType<typeof makeModels>;
