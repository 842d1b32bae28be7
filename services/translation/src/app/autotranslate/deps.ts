import type { Component } from '../../domain/component';
import type {
  AutotranslateLeases,
  Tasks,
  TranslationQueries,
  TranslationReader,
  UnitQueries,
  UnitReader,
  UnitWriter,
} from '../../domain/ports';
import type { UnitEvaluators, SourceFlags } from '../caches/interfaces';
import type { ContributorDeps } from '../contributors';
import type { LoadTranslationDeps } from '../load-translation';
import type { MachineryDeps } from '../machinery/settings';
import type { MemoryDeps } from '../memory/deps';
import type { UnitSearch } from '../search/unit-search';
import type { AddSuggestionsDeps } from '../upload/upload-suggestions';

/** Finds the component with a project slug and a path. */
export type ComponentByPath = (project: string, path: string) => Promise<Component | null>;

export interface PlanDeps extends LoadTranslationDeps, ContributorDeps {
  search: UnitSearch;
  machinery: MachineryDeps;
  memory: MemoryDeps;
  componentNamed: ComponentByPath;
}

export interface ProposeDeps extends Pick<PlanDeps, 'catalog' | 'machinery' | 'memory'> {
  units: Pick<UnitQueries, 'all'>;
  translations: Pick<TranslationQueries, 'page'>;
}

export interface RunDeps extends ProposeDeps, AddSuggestionsDeps {
  units: UnitReader & UnitWriter & UnitQueries;
  componentNamed: ComponentByPath;
  tasks: Tasks;
  evaluators: UnitEvaluators;
  sourceFlags: SourceFlags;
  now(): number;
}

export interface RunsDeps extends RunDeps {
  leases: AutotranslateLeases;
}

export interface AutotranslateDeps extends PlanDeps, RunDeps {
  translations: TranslationReader & TranslationQueries;
}
