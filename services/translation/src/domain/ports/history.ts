import type { Change } from '../change';
import type { Page } from './ids';

export interface ChangeFilter {
  project?: number;
  component?: number;
  translation?: number;
  unit?: number;
  language?: string;
  actions?: readonly number[];
  user?: number;
  after?: number;
  before?: number;
  excludedComponents?: readonly number[];
  excludedProjects?: readonly number[];
}

/** Scope of a count of recent changes. */
export interface RecentScope {
  filter: ChangeFilter;
  /** Components counted in addition to the filter's project; without a project, language or translation only these. */
  components: readonly number[];
  /** Milliseconds since the epoch. */
  lastChange: number;
}

/** Number of history entries of a user in a translation. */
export interface Contribution {
  user: number;
  translation: number;
  language: string;
  changes: number;
}

export interface HistoryReader {
  get(id: number): Promise<Change | null>;
  page(filter: ChangeFilter, page: number, size: number): Promise<Page<Change>>;
  /** The first page without the total, which costs statements of its own. */
  first(filter: ChangeFilter, size: number): Promise<Change[]>;
  /** The newest entries of the given actions on the given units. */
  newestOf(units: readonly number[], actions: readonly number[], limit: number): Promise<Change[]>;
  hasEntries(translation: number, user: number, before: number): Promise<boolean>;
}

/** Recent changes of a scope. */
export interface RecentCount {
  count: number;
  /** Time of the oldest one, in milliseconds since the epoch; 0: none. */
  oldest: number;
}

export interface HistoryCounts {
  /** Numbers of entries by action; actions without an entry are missing. */
  countByAction(filter: ChangeFilter): Promise<ReadonlyMap<number, number>>;
  /** Content changes within six hours before each scope's last change. */
  countRecent(scopes: readonly RecentScope[]): Promise<RecentCount[]>;
  /** Content changes of a translation, except the given entries, and the time of its newest entry (0: none). */
  sums(translation: number, without: readonly number[]): Promise<{ content: number; newest: number }>;
  /** By count, descending. */
  contributions(filter: ChangeFilter, most: number): Promise<Contribution[]>;
}

export interface HistoryWriter {
  /** Idempotent: entries with a known id or `once` are skipped. */
  insert(changes: readonly Change[]): Promise<void>;
  /** Deletes entries of writes that lost their race. */
  retract(changes: readonly Change[]): Promise<void>;
}
