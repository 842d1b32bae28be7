import type { Translation } from '../translation';
import type { Page } from './ids';

export interface TranslationFilter {
  components?: readonly number[];
  projects?: readonly number[];
  language?: string;
  excludedComponents?: readonly number[];
  excludedProjects?: readonly number[];
}

/** One translation among those of a project and language. */
export interface ProjectTranslation {
  translation: number;
  component: number;
  strings: number;
}

export interface TranslationQueries {
  page(filter: TranslationFilter, page: number, size: number): Promise<Page<Translation>>;
  /** Components that have translations. */
  components(): Promise<number[]>;
  inProject(project: number, language: string): Promise<ProjectTranslation[]>;
  /** Total units of the selected translations. */
  countUnits(filter: TranslationFilter): Promise<number>;
  ids(filter: TranslationFilter): Promise<number[]>;
}
