import type { Component, Language } from '../../domain/component';
import type { ProjectTranslation } from '../../domain/ports';
import type { ProjectTerm } from '../../domain/project-term';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import type { UnitEvaluator } from '../checks/unit-evaluator';

/** Checks and flags by component and language. */
export interface UnitEvaluators {
  for(component: Component, language: Language): UnitEvaluator;
}

/** Component, language and file of translations: data that edits do not change. Counters and version may be seconds old. */
export interface TranslationInfo {
  get(translation: number): Promise<Translation | null>;
  /** Existing ones, in the order of the ids. Reads those that are not cached with one statement. */
  many(translations: readonly number[]): Promise<Translation[]>;
}

/** Extra flags of source units. */
export interface SourceFlags {
  /** Extra flags of a unit's source unit. */
  of(unit: Pick<Unit, 'component' | 'sourceUnit'>): Promise<string>;
}

/** Translations of a project in a language. */
export interface ProjectTranslations {
  of(project: number, language: string): Promise<ProjectTranslation[]>;
}

/** Invalidates the caches of all replicas for translations, source flags and glossary terms. */
export interface CacheInvalidation {
  /** Called after a write and before its response. */
  changed(): Promise<void>;
}

/** Terms of a project's glossaries. */
export interface Glossary {
  terms(project: number, language: string): Promise<readonly ProjectTerm[]>;
  /** Terms as stored now, for background work: caches may miss recent writes of another replica. */
  storedTerms(project: number, language: string): Promise<readonly ProjectTerm[]>;
  /** Invalidates cached terms and schedules the checks of strings that use them. @param language null: all */
  termsChanged(project: number, language: string | null): Promise<void>;
}
