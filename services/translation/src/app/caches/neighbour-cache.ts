import type { Neighbour, TranslationQueries } from '../../domain/ports';
import type { Neighbours } from './interfaces';
import { TimedCache } from './timed-cache';

export class NeighbourCache implements Neighbours {
  private readonly cache = new TimedCache<string, Neighbour[]>();

  constructor(private readonly translations: Pick<TranslationQueries, 'inProject'>) {}

  of(project: number, language: string): Promise<Neighbour[]> {
    return this.cache.get(`${project} ${language}`, () => this.translations.inProject(project, language));
  }

  forget(project: number): void {
    this.cache.deleteWhere((key) => key.startsWith(`${project} `));
  }
}
