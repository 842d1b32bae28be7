import { LanguageIndex } from '@parlance/plurals';
import type { Language } from '../domain/objects';
import type { ComponentStore, LanguageStore } from '../domain/ports';
import { GenerationCache } from './generation-cache';

/** All languages, ready for look-ups. */
export interface Languages {
  all: readonly Language[];
  byCode: ReadonlyMap<string, Language>;
  byId: ReadonlyMap<number, Language>;
  /** For codes in file names. */
  index: LanguageIndex;
}

/** The languages (some 800, they hardly ever change) kept in memory, and which of them are in use. */
export class LanguageDirectory {
  private readonly languages: GenerationCache<Languages>;
  private readonly inUse: GenerationCache<ReadonlySet<string>>;

  constructor(store: Pick<LanguageStore, 'all'>, components: Pick<ComponentStore, 'usedLanguages'>) {
    this.languages = new GenerationCache(async () => {
      const all = await store.all();
      return { all, byCode: new Map(all.map((l) => [l.code, l])), byId: new Map(all.map((l) => [l.id, l])), index: new LanguageIndex(all) };
    });
    this.inUse = new GenerationCache(async () => new Set(await components.usedLanguages()));
  }

  get(generation: string): Promise<Languages> {
    return this.languages.get(generation);
  }

  used(generation: string): Promise<ReadonlySet<string>> {
    return this.inUse.get(generation);
  }

  changed(): void {
    this.languages.drop();
    this.inUse.drop();
  }
}
