import type { Page } from '../ports';
import type { MemoryEntry, NewMemoryEntry } from './entry';

/** Entries that a reader may use: the union of those of a project, of a user and the shared ones; or all. */
export type VisibleEntries = 'everything' | { project?: number; user?: number; shared?: boolean };

export interface MemoryFilter {
  visible: VisibleEntries;
  sourceLanguage?: string;
  targetLanguage?: string;
  origin?: string;
}

export interface MemoryStore {
  get(id: number): Promise<MemoryEntry | null>;
  /** By id. */
  page(filter: MemoryFilter, page: number, size: number): Promise<Page<MemoryEntry>>;
  /** All matching entries by id, in batches. */
  stream(filter: MemoryFilter): AsyncIterable<MemoryEntry[]>;
  /**
   * Adds missing entries. Idempotent.
   * @param options.confirm updates the time of existing entries
   * @returns the number added
   */
  add(entries: readonly NewMemoryEntry[], options: { now: number; confirm: boolean }): Promise<number>;
  /** The entry with the same identity. */
  find(entry: NewMemoryEntry): Promise<MemoryEntry | null>;
  /** Number of entries of an owner, possibly from a short-lived cache. @param atMost stops counting there */
  count(owner: { project: number } | { user: number }, atMost: number): Promise<number>;
  /** Unique keys of the entries that do not exist yet. */
  missing(entries: readonly NewMemoryEntry[]): Promise<string[]>;
  remove(id: number): Promise<boolean>;
  /** Entries of a language pair with the given hashes of their source texts, by these hashes. */
  bySources(pair: string, sources: readonly number[], visible: VisibleEntries): Promise<Map<number, MemoryEntry[]>>;
  /** Removes a project's memory. Entries that it contributed stay in the shared memory. */
  removeOfProject(project: number): Promise<void>;
  removeOfUser(user: number): Promise<void>;
  /** Adds all entries of a project to the shared memory, or withdraws them. */
  setShared(project: number, shared: boolean): Promise<void>;
}

/** Project settings that the memory and the engines use. */
export interface MemoryProject {
  id: number;
  slug: string;
  accessControl: number;
  /** Changes require a second factor. */
  enforced2fa: boolean;
  /** Reads the shared memory. */
  useShared: boolean;
  /** Adds to the shared memory. */
  contributeShared: boolean;
}

export interface MemoryProjects {
  /**
   * Includes every write before the catalog generation; without one, every write until the call, which costs the catalog some statements.
   */
  get(id: number, generation?: string): Promise<MemoryProject | null>;
  /** Canonical languages by code as spelled in files; unknown codes are absent. */
  languages(codes: readonly string[]): Promise<Map<string, { id: number; code: string }>>;
}
