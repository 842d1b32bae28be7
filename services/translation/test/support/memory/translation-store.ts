import { addDelta, groups, type CounterDelta, type Counters, type Group } from '../../../src/domain/counters';
import type {
  LastChange,
  ProjectTranslation,
  TranslationCounters,
  TranslationFields,
  TranslationFilter,
  TranslationQueries,
  TranslationReader,
  TranslationWriter,
} from '../../../src/domain/ports';
import type { Translation } from '../../../src/domain/translation';

type Port = TranslationReader &
  TranslationWriter &
  TranslationCounters &
  Pick<TranslationQueries, 'ids' | 'inProject' | 'sumGroups'>;

const among = (ids: readonly number[] | undefined, id: number): boolean => !ids?.length || ids.includes(id);
const isExcluded = (ids: readonly number[] | undefined, id: number): boolean => ids?.includes(id) ?? false;

function isSelected(t: Translation, filter: TranslationFilter): boolean {
  const { translations, components, projects, language, excludedComponents, excludedProjects, counting } = filter;
  const sum = groups.reduce((total, group) => total + (counting?.[group] ?? 0) * t.counters[group].s, 0);
  return (
    (translations?.includes(t.id) ?? true) &&
    among(components, t.component) &&
    among(projects, t.project) &&
    (language === undefined || t.language.code === language) &&
    !isExcluded(excludedComponents, t.component) &&
    !isExcluded(excludedProjects, t.project) &&
    (counting === undefined || sum > 0)
  );
}

/** Translations in memory. */
export class MemoryTranslationStore implements Port {
  /** Outbox items that the counters of a translation include. */
  private readonly counted = new Map<number, Set<string>>();
  protected readonly stored = new Map<number, Translation>();
  private readonly positions = new Map<number, number>();

  constructor(protected readonly log: (effect: string) => void) {}

  protected select(matches: (translation: Translation) => boolean): Translation[] {
    return [...this.stored.values()]
      .filter(matches)
      .sort((a, b) => a.id - b.id)
      .map((translation) => structuredClone(translation));
  }

  /** Stores translations as they are. */
  put(...translations: readonly Translation[]): void {
    for (const translation of translations) this.stored.set(translation.id, structuredClone(translation));
  }

  async get(id: number): Promise<Translation | null> {
    return this.select((t) => t.id === id)[0] ?? null;
  }

  async many(ids: readonly number[]): Promise<Translation[]> {
    return this.select((t) => ids.includes(t.id));
  }

  async find(component: number, language: string): Promise<Translation | null> {
    return this.select((t) => t.component === component && t.language.code === language)[0] ?? null;
  }

  async ofComponent(component: number): Promise<Translation[]> {
    return this.select((t) => t.component === component);
  }

  async inProject(project: number, language: string): Promise<ProjectTranslation[]> {
    const found = this.select((t) => t.project === project && t.language.code === language);
    return found.map(({ id, component, counters }) => ({ translation: id, component, strings: counters.all.s }));
  }

  async ids(filters: readonly TranslationFilter[]): Promise<number[]> {
    return this.select((t) => filters.every((filter) => isSelected(t, filter))).map(({ id }) => id);
  }

  async sumGroups(filters: readonly TranslationFilter[]): Promise<Record<Group, number>> {
    const selected = this.select((t) => filters.every((filter) => isSelected(t, filter)));
    const sums = groups.map((group) => [group, selected.reduce((sum, t) => sum + t.counters[group].s, 0)]);
    return Object.fromEntries(sums) as Record<Group, number>;
  }

  async insert(translation: Translation): Promise<void> {
    this.put(translation);
  }

  async update(id: number, fields: TranslationFields): Promise<void> {
    const stored = this.stored.get(id);
    if (stored) this.put({ ...stored, ...fields });
  }

  async reservePositions(id: number, count: number): Promise<number> {
    const last = this.positions.get(id) ?? 100;
    this.positions.set(id, last + count);
    return last;
  }

  async remove(id: number): Promise<void> {
    this.log(`remove translation ${id}`);
    this.stored.delete(id);
  }

  async components(): Promise<number[]> {
    return [...new Set(this.select(() => true).map((t) => t.component))];
  }

  async touch(id: number, { time }: LastChange): Promise<Translation | null> {
    const stored = this.stored.get(id);
    if (!stored || stored.counters.lastChange >= time) return null;
    stored.counters.lastChange = time;
    return structuredClone(stored);
  }

  async renameLastAuthor(user: number, name: string): Promise<Translation[]> {
    const renamed = [...this.stored.values()].filter((t) => t.counters.lastAuthorId === user);
    for (const { counters } of renamed) counters.lastAuthor = name;
    return structuredClone(renamed);
  }

  private countedOf(id: number): Set<string> {
    const known = this.counted.get(id) ?? new Set();
    this.counted.set(id, known);
    return known;
  }

  async applyDelta(
    id: number,
    items: readonly { id: string; delta: CounterDelta }[],
    last: LastChange | null,
  ): Promise<Translation | null> {
    const stored = this.stored.get(id);
    if (!stored) return null;
    const counted = this.countedOf(id);
    const { checks, contentChanges } = stored.counters;
    const sum: CounterDelta = { groups: stored.counters, checks, contentChanges };
    for (const item of items) if (!counted.has(item.id)) addDelta(sum, item.delta);
    for (const item of items) counted.add(item.id);
    Object.assign(stored.counters, { checks: sum.checks, contentChanges: sum.contentChanges });
    if (last) Object.assign(stored.counters, { lastChange: last.time, ...(last.by && { lastAuthor: last.by.author }) });
    stored.version++;
    this.log(`count ${items.length} in translation ${id}`);
    return structuredClone(stored);
  }

  async countedItems(id: number): Promise<{ version: number; holds: (item: string) => boolean } | null> {
    const stored = this.stored.get(id);
    const counted = new Set(this.countedOf(id));
    return stored ? { version: stored.version, holds: (item) => counted.has(item) } : null;
  }

  async replaceCounters(
    id: number,
    version: number,
    counters: Counters,
    applied: readonly string[],
  ): Promise<Translation | null> {
    const stored = this.stored.get(id);
    if (stored?.version !== version) return null;
    this.put({ ...stored, counters, version: version + 1 });
    for (const item of applied) this.countedOf(id).add(item);
    return this.get(id);
  }
}
