import type { Page } from '../ports';
import type { MemoryEntry, NewMemoryEntry } from './entry';

/** Which entries a reader may use: those of a project, of a user, the shared ones; or all. */
export type MemorySight = 'everything' | { project?: number; user?: number; shared?: boolean };

export interface MemoryFilter {
  sight: MemorySight;
  sourceLanguage?: string;
  targetLanguage?: string;
  origin?: string;
}

export interface MemoryStore {
  get(id: number): Promise<MemoryEntry | null>;
  /** By id. */
  page(filter: MemoryFilter, page: number, size: number): Promise<Page<MemoryEntry>>;
  /** All of them, by id, in batches. */
  stream(filter: MemoryFilter): AsyncIterable<MemoryEntry[]>;
  /**
   * Adds those that are not there yet. Repeatable.
   * @param options.confirm those that are there become the newest of their kind
   * @returns how many were new
   */
  add(entries: readonly NewMemoryEntry[], options: { now: number; confirm: boolean }): Promise<number>;
  /** The entry that equals this one; null: there is none. */
  find(entry: NewMemoryEntry): Promise<MemoryEntry | null>;
  /** Entries of an owner; an answer of a moment ago may be reused. @param atMost no more are counted */
  count(owner: { project: number } | { user: number }, atMost: number): Promise<number>;
  /** Names of those entries that are not there yet. */
  missing(entries: readonly NewMemoryEntry[]): Promise<string[]>;
  remove(id: number): Promise<boolean>;
  /** Entries of a pair of languages whose source texts have these numbers. */
  bySources(pair: string, sources: readonly number[], sight: MemorySight): Promise<MemoryEntry[]>;
  /** Source texts of a pair that came since a time, oldest first, each with its number, as long as `visit` answers true. */
  sourcesSince(pair: string, since: number, visit: (source: number, text: string) => boolean): Promise<void>;
  /** Source texts of a pair that a reader may use, newest first, each with its number, as long as `visit` answers true. */
  newestSources(
    pair: string,
    sight: MemorySight,
    limit: number,
    visit: (source: number, text: string) => boolean,
  ): Promise<void>;
  /** Removes a project's memory; what it gave to the shared memory stays there. */
  removeOfProject(project: number): Promise<void>;
  removeOfUser(user: number): Promise<void>;
  /** Gives what a project has to the shared memory, or takes it back. */
  setShared(project: number, shared: boolean): Promise<void>;
}

/** A project, as far as the memory and the engines need it. */
export interface MemoryProject {
  id: number;
  slug: string;
  accessControl: number;
  /** People who change anything need a second factor. */
  enforced2fa: boolean;
  /** Takes from the memory that projects share. */
  useShared: boolean;
  /** Gives to it. */
  contributeShared: boolean;
}

export interface MemoryProjects {
  /** As it is now. */
  get(id: number): Promise<MemoryProject | null>;
  /** Canonical languages for codes as files spell them; those that are not known here are missing. */
  languages(codes: readonly string[]): Promise<Map<string, { id: number; code: string }>>;
}
