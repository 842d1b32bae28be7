import type { Change } from '../../../src/domain/change';
import type { ChangeFilter, HistoryCounts, HistoryReader, HistoryWriter, Page } from '../../../src/domain/ports';

type Port = HistoryWriter &
  Pick<HistoryReader, 'page' | 'first' | 'newestOf' | 'hasEntries'> &
  Pick<HistoryCounts, 'sums'>;

/** The history in memory. */
export class MemoryHistory implements Port {
  constructor(
    private readonly entries: Change[],
    private readonly log: (effect: string) => void,
  ) {}

  async insert(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      const known = this.entries.some(
        ({ id, once }) => id === change.id || (once !== undefined && once === change.once),
      );
      if (known) continue;
      this.entries.push(structuredClone(change));
      this.log(`record ${change.action}`);
    }
  }

  async retract(changes: readonly Pick<Change, 'id'>[]): Promise<void> {
    for (const { id } of changes) {
      const at = this.entries.findIndex((entry) => entry.id === id);
      if (at >= 0) this.entries.splice(at, 1);
    }
  }

  /** Filters by unit only. */
  async page({ unit }: ChangeFilter, page: number, size: number): Promise<Page<Change>> {
    const found = this.entries.filter((entry) => entry.unit === unit).sort((one, other) => other.time - one.time);
    return { items: found.slice((page - 1) * size, page * size), total: found.length };
  }

  async first(filter: ChangeFilter, size: number): Promise<Change[]> {
    return (await this.page(filter, 1, size)).items;
  }

  async newestOf(units: readonly number[], actions: readonly number[], limit: number): Promise<Change[]> {
    return this.entries
      .filter(({ unit, action }) => units.includes(unit) && actions.includes(action))
      .sort((one, other) => other.time - one.time)
      .slice(0, limit);
  }

  async hasEntries(translation: number, user: number, before: number): Promise<boolean> {
    return this.entries.some((c) => c.translation === translation && c.user === user && c.time < before);
  }

  async sums(translation: number, without: readonly number[]): Promise<{ content: number; newest: number }> {
    const found = this.entries.filter((c) => c.translation === translation && !without.includes(c.id));
    return { content: found.length, newest: Math.max(0, ...found.map(({ time }) => time)) };
  }
}
