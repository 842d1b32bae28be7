import { Schema, type Connection } from 'mongoose';
import type { Change } from '../domain/change';
import type { Counters } from '../domain/counters';
import type { Language } from '../domain/component';
import type { MemoryLanguage } from '../domain/memory/entry';
import type { Removal } from '../domain/pending';
import type { Author, PendingEdit } from '../domain/unit';
import type { Comment, OutboxItem } from '../domain/ports';

/** A stored unit: fields that are empty, false or 0 are omitted, so that a document has about 300 bytes. */
export interface UnitDocument {
  _id: number;
  /** Negated for a removed unit; see `REMOVAL`. */
  translation: number;
  component: number;
  project: number;
  language: string;
  isSource?: boolean;
  key: string;
  contentHash: string;
  position: number;
  source: string[];
  target: string[];
  previousSource?: string[];
  context?: string;
  note?: string;
  location?: string;
  flags?: string;
  state: number;
  formerState?: number;
  checks?: string[];
  dismissedChecks?: string[];
  words: number;
  chars: number;
  priority?: number;
  explanation?: string;
  extraFlags?: string;
  labels?: number[];
  suggestions?: number;
  comments?: number;
  sourceUnit: number;
  pending?: boolean;
  edits?: PendingEdit[];
  stored?: { target: string[]; state: number };
  created: number;
  updated: number;
  version: number;
  outbox?: OutboxItem[];
  /** There are outbox items. */
  announcing?: boolean;
  /** Id of the last write without an outbox item. */
  wrote?: string;
  /** Added to a listed translation; keys of such units are unique. */
  added?: boolean;
  /** A source unit that has, or once had, labels, an explanation or extra flags. */
  curated?: boolean;
  /** Hash of a non-blank target; see `textKey`. */
  text?: number;
}

export interface TranslationDocument {
  _id: number;
  component: number;
  project: number;
  /** Canonical code; with the component it is unique. */
  languageCode: string;
  language: Language;
  fileLanguageCode: string;
  filename: string;
  revision: string;
  isTemplate: boolean;
  isSource: boolean;
  counters: Counters;
  version: number;
  /** Hashes of the last counted outbox items: makes counting idempotent. */
  applied: number[];
  /** Checks that compare several strings are due. */
  recheck?: boolean;
  /** Flags of the component or project changed: all checks are due. */
  rejudge?: boolean;
  /** Id of the request, to keep a newer one. */
  rejudgeMark?: string;
  /** Id of the request to check glossary terms. */
  termsChanged?: string;
  /** Id of the request to publish the translation's event. */
  unannounced?: string;
  /** Last reserved position. Absent: the highest position of its strings. */
  end?: number;
  /** Source translations: time of the last time-dependent checks of the component, milliseconds since the epoch. */
  timedChecks?: number;
}

export interface ChangeDocument extends Omit<Change, 'id' | 'once'> {
  _id: number;
  /** Unique idempotency key: `once` of the change. */
  event?: string;
}

export interface SuggestionDocument {
  _id: number;
  unit: number;
  translation: number;
  component: number;
  project: number;
  target: string[];
  user: number;
  time: number;
  /** Unique idempotency key of a conflict. */
  origin?: string;
  votes?: number[];
  author?: Author;
}

export interface CommentDocument extends Omit<Comment, 'id'> {
  _id: number;
}

export interface RemovalDocument extends Omit<Removal, 'id'> {
  _id: string;
}

/** An entry of the translation memory; fields that are 0 or false are omitted. */
export interface MemoryDocument {
  _id: number;
  /** Key of the language pair. */
  pair: string;
  sourceHash: number;
  /** Identity among entries of the same source. */
  hash: string;
  source: string;
  target: string;
  sourceLanguage: MemoryLanguage;
  targetLanguage: MemoryLanguage;
  origin: string;
  project?: number;
  user?: number;
  fromFile?: boolean;
  shared?: boolean;
  stamp: number;
}

/** Encrypted settings of a project's machine translation engines, by engine. */
export interface MachineryDocument {
  _id: number;
  services: Record<string, string>;
  version: number;
}

/** Newest lease under which files of a component were imported. */
export interface FencingTokenDocument {
  _id: number;
  repository: string;
  token: number;
}

/** Last allocated id of a kind of object; also other counters. */
export interface CounterDocument {
  _id: string;
  last: number;
}

const free = { strict: false, versionKey: false as const, autoIndex: false, autoCreate: false };

export function makeModels(connection: Connection) {
  const unit = new Schema<UnitDocument>({ _id: Number }, { ...free, collection: 'units' });
  unit.index({ translation: 1, _id: 1 });
  // An ordered index over all units halves the speed of imports, so there is only one; a hashed index costs a tenth of that. The partial
  // indexes contain few units. A unique index is needed only for keys added to listed translations, where users and imports race: a
  // single process imports a new translation.
  unit.index({ contentHash: 'hashed' });
  unit.index({ text: 'hashed' }, { partialFilterExpression: { text: { $exists: true } } });
  unit.index({ translation: 1, key: 1 }, { unique: true, partialFilterExpression: { added: true } });
  unit.index({ component: 1, pending: 1 }, { partialFilterExpression: { pending: true } });
  unit.index({ curated: 1, translation: 1 }, { partialFilterExpression: { curated: true } });
  unit.index({ announcing: 1 }, { partialFilterExpression: { announcing: true } });

  const translation = new Schema<TranslationDocument>({ _id: Number }, { ...free, collection: 'translations' });
  translation.index({ component: 1, languageCode: 1 }, { unique: true });
  translation.index({ project: 1, languageCode: 1 });
  translation.index({ recheck: 1 }, { partialFilterExpression: { recheck: true } });
  translation.index({ rejudge: 1 }, { partialFilterExpression: { rejudge: true } });
  translation.index({ termsChanged: 1 }, { partialFilterExpression: { termsChanged: { $exists: true } } });
  translation.index({ timedChecks: 1 }, { partialFilterExpression: { isSource: true } });
  translation.index({ unannounced: 1 }, { partialFilterExpression: { unannounced: { $exists: true } } });
  translation.index({ languageCode: 1 });

  const change = new Schema<ChangeDocument>({ _id: Number }, { ...free, collection: 'changes' });
  change.index({ time: -1, _id: -1 });
  change.index({ unit: 1, time: -1, _id: -1 });
  change.index({ translation: 1, time: -1, _id: -1 });
  change.index({ component: 1, time: -1, _id: -1 });
  change.index({ project: 1, time: -1, _id: -1 });
  change.index({ user: 1, time: -1, _id: -1 });
  // Without it, rare actions require a scan of the whole history.
  change.index({ action: 1, time: -1, _id: -1 });
  change.index({ event: 1 }, { unique: true, partialFilterExpression: { event: { $exists: true } } });

  const suggestion = new Schema<SuggestionDocument>({ _id: Number }, { ...free, collection: 'suggestions' });
  suggestion.index({ unit: 1 });
  suggestion.index({ component: 1 });
  suggestion.index({ origin: 1 }, { unique: true, partialFilterExpression: { origin: { $exists: true } } });

  suggestion.index({ translation: 1 });

  const comment = new Schema<CommentDocument>({ _id: Number }, { ...free, collection: 'comments' });
  comment.index({ unit: 1 });
  comment.index({ translation: 1 });
  comment.index({ component: 1 });

  const removal = new Schema<RemovalDocument>({ _id: String }, { ...free, collection: 'removals' });
  removal.index({ component: 1 });

  const memory = new Schema<MemoryDocument>({ _id: Number }, { ...free, collection: 'memory' });
  memory.index({ pair: 1, sourceHash: 1, hash: 1 }, { unique: true });
  memory.index({ pair: 1, stamp: 1 });
  memory.index({ project: 1 });
  memory.index({ user: 1 }, { partialFilterExpression: { user: { $exists: true } } });

  const machinery = new Schema<MachineryDocument>({ _id: Number }, { ...free, collection: 'machinery' });

  const fencingToken = new Schema<FencingTokenDocument>({ _id: Number }, { ...free, collection: 'fencingtokens' });

  const counter = new Schema<CounterDocument>({ _id: String, last: Number }, { ...free, collection: 'counters' });

  return {
    units: connection.model<UnitDocument>('Unit', unit),
    translations: connection.model<TranslationDocument>('Translation', translation),
    changes: connection.model<ChangeDocument>('Change', change),
    suggestions: connection.model<SuggestionDocument>('Suggestion', suggestion),
    comments: connection.model<CommentDocument>('Comment', comment),
    removals: connection.model<RemovalDocument>('Removal', removal),
    memory: connection.model<MemoryDocument>('Memory', memory),
    machinery: connection.model<MachineryDocument>('Machinery', machinery),
    fencingTokens: connection.model<FencingTokenDocument>('FencingToken', fencingToken),
    counters: connection.model<CounterDocument>('Counter', counter),
  };
}

export type Models = ReturnType<typeof makeModels>;
