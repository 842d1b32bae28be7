import type { Counters } from '../counters';
import type { Translation } from '../translation';
import type { Unit } from '../unit';
import type { Backlog } from './announcements';
import type { OutboxItem, UnitRemoval, UnitWrite } from './unit-writes';

export interface UnitReader {
  get(id: number): Promise<Unit | null>;
  many(ids: readonly number[]): Promise<Unit[]>;
  ofTranslation(translation: number): Promise<Unit[]>;
  /** Units of a source unit, including the source unit, by id. */
  ofSourceUnit(source: Pick<Unit, 'id' | 'contentHash'>): Promise<Unit[]>;
}

/** Finds units of one translation by key or context. */
export interface UnitKeys {
  byKey(translation: number, key: string): Promise<Unit | null>;
  /** The subset of keys that users or files added after the first import of the translation. */
  addedKeys(translation: number, keys: readonly string[]): Promise<Set<string>>;
  /** The first context that equals one of the contexts or starts with one of the prefixes; null without a match. */
  findContext(translation: number, contexts: readonly string[], prefixes: readonly string[]): Promise<string | null>;
}

/** Finds units that share a source or a target with others. */
export interface SharedStrings {
  /** Units of a project with one of the content hashes (source and context). @param language null: all */
  twins(project: number, language: string | null, contentHashes: readonly string[]): Promise<Unit[]>;
  /** Translations in a project and language whose target equals one of the texts. */
  withTexts(project: number, language: string, texts: readonly (readonly string[])[]): Promise<Unit[]>;
  /** Calls `visit` with the `textKey` of each target of some translations; blank targets have none. */
  eachTextKey(translations: readonly number[], visit: (key: number) => void): Promise<void>;
}

/** Translation progress of one source string. */
export interface SourceSummary {
  sourceUnit: number;
  translations: number;
  translated: number;
  failing: number;
}

export interface SourceSummaries {
  /** Summaries of a project's source units with one of the content hashes. */
  summariesOf(project: number, contentHashes: readonly string[]): Promise<SourceSummary[]>;
}

/** Extra flags of source units. */
export interface ExtraFlagsReader {
  /** By unit; units without extra flags are absent. */
  extraFlags(translation: number): Promise<Map<number, string>>;
  /** Of some units, by unit; units without extra flags are absent. */
  extraFlagsOf(units: readonly number[]): Promise<Map<number, string>>;
}

/** What changes with every write of a unit: of two reads with the same values, only one is needed. */
export interface UnitVersion {
  id: number;
  version: number;
  /** Changes without a new version when other units are inserted or deleted. */
  position: number;
}

/** Reads single fields of all units of a translation. */
export interface UnitFields {
  /** Versions, to detect units that changed since they were read. */
  versions(translation: number): Promise<UnitVersion[]>;
}

export interface UnitWriter {
  /** @returns false when the unit has another version */
  write(write: UnitWrite | UnitRemoval): Promise<boolean>;
  /** Writes to units of one translation. @returns ids of the units that had another version */
  writeMany(writes: readonly UnitWrite[]): Promise<number[]>;
}

export interface UnitInserter {
  /** Inserts the strings of a translation that is not listed yet. */
  insert(units: readonly Unit[]): Promise<void>;
  /** Inserts strings of a file into a listed translation. @returns ids of units whose keys were inserted concurrently */
  insertNew(units: readonly Unit[]): Promise<number[]>;
  /** Inserts strings of one translation with their outbox items. @returns ids of units whose keys exist already */
  addMany(insertions: readonly { unit: Unit; outbox: OutboxItem }[]): Promise<number[]>;
}

/** Neighbours of a unit in its file, in file order. */
export interface Neighbours {
  before: Unit[];
  after: Unit[];
}

export interface UnitPositions {
  /** The units nearest to a unit in its file, at most `count` on each side. */
  listAround(unit: Pick<Unit, 'id' | 'translation' | 'position'>, count: number): Promise<Neighbours>;
  /** Adds an offset to the positions of a range. */
  shiftPositions(translation: number, from: number, to: number, by: number): Promise<void>;
  /** Sets positions unconditionally. */
  setPositions(positions: readonly { unit: number; position: number }[]): Promise<void>;
}

export interface UnitRemover {
  /** Removes units without an outbox item; pending outbox items of the units are still carried out. @returns the count removed */
  removeMany(ids: readonly number[]): Promise<number>;
  /** Called before a translation is removed from the list: `removeUnlisted` finds its units if the removal is interrupted. */
  beginRemoval(translation: Pick<Translation, 'id' | 'component'>): Promise<void>;
  removeOfTranslation(translation: Pick<Translation, 'id' | 'component'>): Promise<void>;
  /** Removes the units of a component's translations that are not listed: removed ones, and those of an interrupted import. */
  removeUnlisted(component: number): Promise<void>;
}

/** Units with edits that no commit contains yet. */
export interface PendingUnits {
  pendingOfComponent(component: number): Promise<Unit[]>;
  /** By id. */
  pendingOfTranslation(translation: Pick<Translation, 'id' | 'component'>): Promise<Unit[]>;
  /** Versions of the same units, by id. */
  pendingVersions(translation: Pick<Translation, 'id' | 'component'>): Promise<Pick<UnitVersion, 'id' | 'version'>[]>;
  pendingOfAuthor(components: readonly number[], user: number): Promise<Unit[]>;
  anyPending(components: readonly number[]): Promise<boolean>;
}

export interface UnitOutbox {
  /** Outbox items older than the given time. */
  listUnprocessed(before: number, limit: number): Promise<{ unit: number; items: OutboxItem[] }[]>;
  clearOutbox(units: readonly number[], items: readonly string[]): Promise<void>;
  /** Deletes the documents of removed units whose outbox is empty. */
  deleteProcessed(): Promise<void>;
}

/** Measures the outbox items of `UnitOutbox`. */
export interface UnitBacklog {
  /** Outbox items older than the given time; beyond one page, the units that have some, counted no further than `limit`. */
  measureUnprocessed(before: number, limit: number): Promise<Backlog>;
}

export interface UnitCounters {
  recount(translation: number): Promise<Counters>;
}
