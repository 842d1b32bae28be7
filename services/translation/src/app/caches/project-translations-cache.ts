import type { ProjectTranslation, TranslationQueries } from '../../domain/ports';
import type { ProjectTranslations } from './interfaces';
import type { SharedCache } from './cache-generation';
import { TimedCache } from './timed-cache';

export class ProjectTranslationsCache implements SharedCache, ProjectTranslations {
  private readonly cache = new TimedCache<string, ProjectTranslation[]>();

  constructor(private readonly translations: Pick<TranslationQueries, 'inProject'>) {}

  of(project: number, language: string): Promise<ProjectTranslation[]> {
    return this.cache.get(`${project} ${language}`, () => this.translations.inProject(project, language));
  }

  clear(): void {
    this.cache.clear();
  }
}
