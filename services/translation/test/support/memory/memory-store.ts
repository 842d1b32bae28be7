import { MemoryIndex } from '../../../src/app/memory/memory-index';
import { inlineMemory, type MemoryFile } from '../../../src/app/memory/read-file';
import { groupBy } from '../../../src/domain/group-by';
import { entryHash, pairOf, sourceHash, type MemoryEntry, type NewMemoryEntry } from '../../../src/domain/memory/entry';
import type { MemoryFilter, MemoryProject, MemoryStore, VisibleEntries } from '../../../src/domain/memory/ports';
import type { Page } from '../../../src/domain/ports';
import type { MemoryIndexReader, SourceText } from '../../../src/domain/memory/index-ports';

const keyOf = (entry: NewMemoryEntry): string =>
  JSON.stringify([entry.source, entry.sourceLanguage.code, entry.targetLanguage.code, entryHash(entry)]);

const isVisible = (entry: MemoryEntry, visible: VisibleEntries): boolean =>
  visible === 'everything' ||
  (visible.project !== undefined && entry.project === visible.project) ||
  (visible.user !== undefined && entry.user === visible.user) ||
  (visible.shared === true && entry.shared);

/** A translation memory on a map. */
class MapMemoryStore implements MemoryStore, MemoryIndexReader {
  private readonly stored = new Map<string, MemoryEntry>();
  private lastId = 0;

  entries(matches: (entry: MemoryEntry) => boolean = () => true): MemoryEntry[] {
    return structuredClone([...this.stored.values()].filter(matches));
  }

  private filtered({ visible, sourceLanguage, targetLanguage, origin }: MemoryFilter): MemoryEntry[] {
    return this.entries(
      (e) =>
        isVisible(e, visible) &&
        (!sourceLanguage || e.sourceLanguage.code === sourceLanguage) &&
        (!targetLanguage || e.targetLanguage.code === targetLanguage) &&
        (!origin || e.origin === origin),
    );
  }

  async get(id: number): Promise<MemoryEntry | null> {
    return this.entries((e) => e.id === id)[0] ?? null;
  }

  async page(filter: MemoryFilter, page: number, size: number): Promise<Page<MemoryEntry>> {
    const found = this.filtered(filter);
    return { items: found.slice((page - 1) * size, page * size), total: found.length };
  }

  async *stream(filter: MemoryFilter): AsyncIterable<MemoryEntry[]> {
    yield this.filtered(filter);
  }

  async add(entries: readonly NewMemoryEntry[], { now, confirm }: { now: number; confirm: boolean }): Promise<number> {
    let added = 0;
    for (const entry of entries) {
      const known = this.stored.get(keyOf(entry));
      if (known && confirm) known.stamp = now;
      if (known) continue;
      this.stored.set(keyOf(entry), { ...entry, id: ++this.lastId, stamp: now });
      added++;
    }
    return added;
  }

  async find(entry: NewMemoryEntry): Promise<MemoryEntry | null> {
    return this.stored.get(keyOf(entry)) ?? null;
  }

  async count(owner: { project: number } | { user: number }, atMost: number): Promise<number> {
    const found = this.entries((e) => ('project' in owner ? e.project === owner.project : e.user === owner.user));
    return Math.min(found.length, atMost);
  }

  async missing(entries: readonly NewMemoryEntry[]): Promise<string[]> {
    return entries.map(keyOf).filter((key) => !this.stored.has(key));
  }

  async remove(id: number): Promise<boolean> {
    const found = [...this.stored].find(([, entry]) => entry.id === id);
    return found !== undefined && this.stored.delete(found[0]);
  }

  private ofPair(pair: string): MemoryEntry[] {
    return this.entries((e) => pairOf(e.sourceLanguage.code, e.targetLanguage.code) === pair);
  }

  async bySources(
    pair: string,
    sources: readonly number[],
    visible: VisibleEntries,
  ): Promise<Map<number, MemoryEntry[]>> {
    const found = this.ofPair(pair).filter((e) => sources.includes(sourceHash(e.source)) && isVisible(e, visible));
    return groupBy(found, ({ source }) => sourceHash(source));
  }

  async isReady(): Promise<boolean> {
    return false;
  }

  async freshSources(): Promise<never[]> {
    return [];
  }

  async anySources(pair: string, visible: VisibleEntries, limit: number): Promise<SourceText[]> {
    return this.ofPair(pair)
      .filter((e) => isVisible(e, visible))
      .slice(0, limit)
      .map(({ source }) => ({ source: sourceHash(source), text: source }));
  }

  async segments(): Promise<never[]> {
    return [];
  }

  async documents(): Promise<never[]> {
    return [];
  }

  async requestRebuild(): Promise<void> {
    throw new Error('There is no index.');
  }

  private removeAll(matches: (entry: MemoryEntry) => boolean): void {
    for (const [key, entry] of this.stored) if (matches(entry)) this.stored.delete(key);
  }

  async removeOfProject(project: number): Promise<void> {
    this.removeAll((e) => e.project === project);
  }

  async removeOfUser(user: number): Promise<void> {
    this.removeAll((e) => e.user === user);
  }

  async setShared(project: number, shared: boolean): Promise<void> {
    for (const entry of this.stored.values()) if (entry.project === project) entry.shared = shared;
  }
}

const languages = new Map(['en', 'cs', 'de'].map((code, i) => [code, { id: i + 1, code }]));

/** Dependencies of the translation memory: projects 1 (contributes to the shared memory) and 2 (restricted). */
export function translationMemory(quotas = { perUser: 100, perProject: 100 }) {
  const store = new MapMemoryStore();
  const clock = { now: 1_000_000 };
  const projects = new Map<number, MemoryProject>();
  const project = { enforced2fa: false, useShared: true, contributeShared: true };
  projects.set(1, { ...project, id: 1, slug: 'p', accessControl: 0 });
  projects.set(2, { ...project, id: 2, slug: 'q', accessControl: 100 });
  const now = () => clock.now;
  const deps = {
    store,
    index: new MemoryIndex(store, 1024 * 1024),
    projects: {
      get: async (id: number) => projects.get(id) ?? null,
      languages: async (codes: readonly string[]) => new Map([...languages].filter(([code]) => codes.includes(code))),
    },
    files: { memory: async (file: MemoryFile) => inlineMemory(file) },
    quotas,
    now,
  };
  const entry = (source: string, target: string, more: Partial<NewMemoryEntry> = {}): NewMemoryEntry => ({
    source,
    target,
    sourceLanguage: languages.get('en')!,
    targetLanguage: languages.get('cs')!,
    origin: 'p/app',
    project: 1,
    user: 0,
    fromFile: false,
    shared: true,
    ...more,
  });
  return { deps, store, projects, clock, entry };
}
