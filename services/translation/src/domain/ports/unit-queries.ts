import type { Unit } from '../unit';
import type { UnitQuery } from '../unit-query';
import type { Page } from './ids';
import type { UnitVersion } from './units';

export interface PageOptions {
  /** The total, if the caller knows it; absent: counted. */
  known?: number | undefined;
  /**
   * When the store counts: before it reads, for less load; meanwhile (default); or after, and only if the page does not show the end of
   * the list.
   */
  count?: 'before' | 'meanwhile' | 'after';
}

/** Selects units by a query. */
export interface UnitQueries {
  /** By id. */
  page(query: UnitQuery, page: number, size: number, options?: PageOptions): Promise<Page<Unit>>;
  /** The versions of the units of such a page. */
  pageVersions(query: UnitQuery, page: number, size: number, options?: PageOptions): Promise<Page<UnitVersion>>;
  /** Keyset pagination, by id. @param after id of the last unit read; 0: from the start */
  pageAfter(query: UnitQuery, after: number, size: number): Promise<Unit[]>;
  all(query: UnitQuery): Promise<Unit[]>;
  /** Unordered. */
  idsOf(query: UnitQuery): Promise<number[]>;
}
