import type { TranslationReader } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { TranslationInfo } from './interfaces';
import type { SharedCache } from './cache-generation';
import { TimedCache } from './timed-cache';

export class TranslationInfoCache implements SharedCache, TranslationInfo {
  private readonly cache = new TimedCache<number, Translation | null>();

  constructor(private readonly translations: Pick<TranslationReader, 'get'>) {}

  get(translation: number): Promise<Translation | null> {
    return this.cache.get(translation, () => this.translations.get(translation));
  }

  clear(): void {
    this.cache.clear();
  }
}
