import type { Neighbour, TranslationQueries } from '../../domain/ports';
import type { Neighbours } from './interfaces';
import type { SharedCache } from './cache-generation';
import { TimedCache } from './timed-cache';

export class NeighbourCache implements SharedCache, Neighbours {
  private readonly cache = new TimedCache<string, Neighbour[]>();

  constructor(private readonly translations: Pick<TranslationQueries, 'inProject'>) {}

  of(project: number, language: string): Promise<Neighbour[]> {
    return this.cache.get(`${project} ${language}`, () => this.translations.inProject(project, language));
  }

  clear(): void {
    this.cache.clear();
  }
}
