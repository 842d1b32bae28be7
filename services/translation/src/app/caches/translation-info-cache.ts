import type { TranslationReader } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { TranslationInfo } from './interfaces';
import type { SharedCache } from './cache-generation';
import { TimedCache } from './timed-cache';

export class TranslationInfoCache implements SharedCache, TranslationInfo {
  private readonly cache = new TimedCache<number, Translation | null>();

  constructor(private readonly translations: Pick<TranslationReader, 'get' | 'many'>) {}

  get(translation: number): Promise<Translation | null> {
    return this.cache.get(translation, () => this.translations.get(translation));
  }

  async many(ids: readonly number[]): Promise<Translation[]> {
    const missing = new Set(ids.filter((id) => !this.cache.has(id)));
    const reading = missing.size === 0 ? Promise.resolve([]) : this.translations.many([...missing]);
    const byId = reading.then((read) => new Map(read.map((translation) => [translation.id, translation])));
    const found = ids.map((id) =>
      // An entry may expire after it was found.
      this.cache.get(id, async () => (missing.has(id) ? ((await byId).get(id) ?? null) : this.translations.get(id))),
    );
    return (await Promise.all(found)).filter((translation) => translation !== null);
  }

  clear(): void {
    this.cache.clear();
  }
}
