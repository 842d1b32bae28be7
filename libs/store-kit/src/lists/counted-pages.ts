import { createHash } from 'node:crypto';
import { listTotal } from './list-total';

/** Lists whose last total is known. */
const CAPACITY = 2_000;

/** A page of a list. */
export interface PageOfList {
  /** Selects the list. Only the expectation depends on its JSON, so different filters with equal JSON are harmless. */
  filter: object;
  /** Documents before the page. */
  skip: number;
  /** Maximum number of documents on the page. */
  size: number;
}

/**
 * Reads pages with exact totals. A page that ends the list tells the total without a count. Where the last total lets expect such a
 * page, the count waits for the page and mostly is not needed; otherwise both run at the same time.
 */
export class CountedPages {
  /** Last totals by list, in LRU order. They only decide whether a count waits; other processes may have changed the list since. */
  private readonly lastTotals = new Map<string, number>();

  async read<T>(
    { filter, skip, size }: PageOfList,
    find: () => Promise<T[]>,
    count: () => Promise<number>,
  ): Promise<{ items: T[]; total: number }> {
    const key = createHash('sha1').update(JSON.stringify(filter)).digest('base64');
    const expected = this.lastTotals.get(key);
    const expectsEnd = expected !== undefined && expected < skip + size && (skip === 0 || expected > skip);
    const early = expectsEnd ? undefined : count();
    // Prevents an unhandled rejection if the page fails first.
    early?.catch(() => undefined);
    const items = await find();
    const total = await (early ?? listTotal({ skip, size, found: items.length }, count));
    this.remember(key, total);
    return { items, total };
  }

  private remember(key: string, total: number): void {
    this.lastTotals.delete(key);
    this.lastTotals.set(key, total);
    if (this.lastTotals.size > CAPACITY) this.lastTotals.delete(this.lastTotals.keys().next().value!);
  }
}
