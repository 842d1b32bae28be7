import type { GlossaryTerm } from '@parlance/checks';
import type { Component, Language } from '../../domain/component';
import type { Neighbour } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import type { Judge } from '../checks/quality';

/** Checks and flags by component and language. */
export interface Judges {
  for(component: Component, language: Language): Judge;
}

/** Component, language and file of translations: data that edits do not change. Counters and version may be seconds old. */
export interface TranslationInfo {
  get(translation: number): Promise<Translation | null>;
}

/** Extra flags of source units. */
export interface SourceFlags {
  /** Extra flags of a unit's source unit. */
  of(unit: Pick<Unit, 'component' | 'sourceUnit'>): Promise<string>;
}

/** Translations of a project in a language. */
export interface Neighbours {
  of(project: number, language: string): Promise<Neighbour[]>;
}

/** Invalidates what all replicas cache about translations, source flags and glossary terms. */
export interface CacheInvalidation {
  /** Called after a write and before its response. */
  changed(): Promise<void>;
}

/** Terms of a project's glossaries. */
export interface Glossary {
  terms(project: number, language: string): Promise<readonly GlossaryTerm[]>;
  /** Invalidates cached terms and schedules the checks of strings that use them. @param language null: all */
  termsChanged(project: number, language: string | null): Promise<void>;
}
