import type { Group } from '../counters';
import type { Translation } from '../translation';
import type { Page } from './ids';

/** A sum of counters: how often the strings of each group are counted. */
export type GroupSum = Partial<Record<Group, number>>;

export interface TranslationFilter {
  translations?: readonly number[];
  components?: readonly number[];
  projects?: readonly number[];
  language?: string;
  excludedComponents?: readonly number[];
  excludedProjects?: readonly number[];
  /** Only translations in which the sum is positive. */
  counting?: GroupSum;
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
  /** Units by group of the translations that all filters select. */
  sumGroups(filters: readonly TranslationFilter[]): Promise<Record<Group, number>>;
  /** The translations that all filters select. */
  ids(filters: readonly TranslationFilter[]): Promise<number[]>;
}
