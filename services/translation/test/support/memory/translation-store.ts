import type { LastChange, TranslationFields, TranslationReader, TranslationWriter } from '../../../src/domain/ports';
import type { Translation } from '../../../src/domain/translation';

/** Translations in memory. */
export class MemoryTranslationStore implements TranslationReader, TranslationWriter {
  private readonly stored = new Map<number, Translation>();
  private readonly positions = new Map<number, number>();

  constructor(private readonly log: (effect: string) => void) {}

  private all(matches: (translation: Translation) => boolean): Translation[] {
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
    return this.all((t) => t.id === id)[0] ?? null;
  }

  async many(ids: readonly number[]): Promise<Translation[]> {
    return this.all((t) => ids.includes(t.id));
  }

  async find(component: number, language: string): Promise<Translation | null> {
    return this.all((t) => t.component === component && t.language.code === language)[0] ?? null;
  }

  async ofComponent(component: number): Promise<Translation[]> {
    return this.all((t) => t.component === component);
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
    return [...new Set(this.all(() => true).map((t) => t.component))];
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
}
