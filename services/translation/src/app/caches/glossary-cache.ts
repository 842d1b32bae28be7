import type { CheckMarks } from '../../domain/ports';
import type { ProjectTerm } from '../../domain/project-term';
import { glossaryTerms, type GlossaryTermsDeps } from '../checks/glossary';
import type { Glossary } from './interfaces';
import type { SharedCache } from './cache-generation';
import { TimedCache } from './timed-cache';

export interface GlossaryCacheDeps extends GlossaryTermsDeps {
  translations: Pick<CheckMarks, 'markTermsChanged'>;
  /** Invalidates the caches of all replicas. */
  invalidate(): Promise<void>;
  /** Clears the caches of this process that terms are read through. */
  forget(): void;
  /** Starts the background checks that `markTerms` requests. */
  scheduleRecheck(): void;
}

export class GlossaryCache implements SharedCache, Glossary {
  private readonly cache = new TimedCache<string, readonly ProjectTerm[]>();

  constructor(private readonly deps: GlossaryCacheDeps) {}

  terms(project: number, language: string): Promise<readonly ProjectTerm[]> {
    return this.cache.get(`${project} ${language}`, () => glossaryTerms(this.deps, project, language));
  }

  storedTerms(project: number, language: string): Promise<readonly ProjectTerm[]> {
    this.deps.forget();
    return this.terms(project, language);
  }

  async termsChanged(project: number, language: string | null): Promise<void> {
    await this.deps.translations.markTermsChanged(project, language);
    await this.deps.invalidate();
    this.deps.scheduleRecheck();
  }

  clear(): void {
    this.cache.clear();
  }
}
