import type { CounterDelta, Counters } from '../counters';
import type { Translation } from '../translation';
import type { Backlog } from './announcements';

export interface TranslationReader {
  get(id: number): Promise<Translation | null>;
  many(ids: readonly number[]): Promise<Translation[]>;
  find(component: number, language: string): Promise<Translation | null>;
  ofComponent(component: number): Promise<Translation[]>;
}

export type TranslationFields = Partial<
  Pick<Translation, 'filename' | 'revision' | 'fileLanguageCode' | 'language' | 'isTemplate'>
>;

export interface TranslationWriter {
  insert(translation: Translation): Promise<void>;
  update(id: number, fields: TranslationFields): Promise<void>;
  /** Reserves positions after the last string. @returns the position before the first reserved one */
  reservePositions(id: number, count: number): Promise<number>;
  remove(id: number): Promise<void>;
}

/** Data about a translation's last change that writes carry. */
export interface LastChange {
  /** Time of the newest history entry, milliseconds since the epoch. */
  time: number;
  /** Null: the translation keeps its last author. */
  by: {
    author: string;
    authorId: number;
    /** Acting user; may differ from the author. */
    user: number;
  } | null;
}

/** Denormalized counters of a translation. */
export interface TranslationCounters {
  /** Adds deltas idempotently: counted items are skipped. @returns the translation afterwards; null when it was deleted */
  applyDelta(
    id: number,
    items: readonly { id: string; delta: CounterDelta }[],
    last: LastChange | null,
  ): Promise<Translation | null>;
  /** Records a newer last change. @returns null when a later one is recorded, or the translation was deleted */
  touch(id: number, last: LastChange): Promise<Translation | null>;
  /** Conditional write of recounted numbers. @returns null when the version changed */
  replaceCounters(
    id: number,
    version: number,
    counters: Counters,
    applied: readonly string[],
  ): Promise<Translation | null>;
  /** Outbox items that the counters include, of those that may still be uncleared. */
  countedItems(id: number): Promise<{ version: number; holds: (item: string) => boolean } | null>;
  /** Renames the last author. @returns the translations changed */
  renameLastAuthor(user: number, name: string): Promise<Translation[]>;
}

/** A translation with a durable mark; the mark distinguishes requests, so that clearing an old one keeps a newer one. */
export interface MarkedTranslation {
  translation: Translation;
  mark: string;
}

/** Durable requests for background checks. */
export interface CheckMarks {
  /** Translations whose checks that compare several strings are due. */
  listToRecheck(): Promise<MarkedTranslation[]>;
  markRecheck(ids: readonly number[]): Promise<void>;
  /** Clears the marks, unless they are newer ones. */
  clearRecheck(marked: readonly MarkedTranslation[]): Promise<void>;
  /** Translations whose component or project flags changed. */
  listToRerun(): Promise<MarkedTranslation[]>;
  markRerun(of: { component: number } | { project: number }): Promise<void>;
  /** Clears the mark, unless it is a newer one, and requests checks that compare several strings. */
  clearRerun(id: number, mark: string): Promise<void>;
  /** Requests glossary checks after terms changed. @param language null: all */
  markTermsChanged(project: number, language: string | null): Promise<void>;
  listTermsChanged(): Promise<MarkedTranslation[]>;
  /** Clears the mark, unless it is a newer one. */
  clearTermsChanged(translation: number, mark: string): Promise<void>;
  /** Components whose time-dependent checks are due. */
  listTimedChecksDue(since: number, limit: number): Promise<number[]>;
  /** Claims the time-dependent checks of a component. @returns false: another process claimed them */
  claimTimedChecks(component: number, since: number, now: number): Promise<boolean>;
}

/** A translation whose event could not be published. */
export interface UnannouncedTranslation extends MarkedTranslation {
  /** Time of the oldest write that no event reports, milliseconds since the epoch; absent in marks of older versions. */
  written?: number;
}

/** Durable marks of translations whose event could not be published. */
export interface AnnouncementMarks {
  /** @param written time of the write, milliseconds since the epoch; a marked translation keeps the oldest one */
  markUnannounced(id: number, written: number): Promise<void>;
  listUnannounced(limit: number): Promise<UnannouncedTranslation[]>;
  /** Clears the mark, unless it is a newer one. */
  clearUnannounced(id: number, mark: string): Promise<void>;
}

/** Measures the marks of `AnnouncementMarks`. */
export interface AnnouncementBacklog {
  /** Marked translations; counts no further than `limit`. */
  measureUnannounced(limit: number): Promise<Backlog>;
}
