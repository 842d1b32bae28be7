import type { GlossaryTerm } from '@parlance/checks';
import type { Component, Language } from '../domain/component';
import type {
  Agreements,
  Announcer,
  Catalog,
  ChangeStore,
  CommentStore,
  Directory,
  Ids,
  Neighbour,
  Repository,
  RemovalStore,
  SuggestionStore,
  TranslationStore,
  UnitStore,
} from '../domain/ports';
import type { Translation } from '../domain/translation';
import type { Author, Unit } from '../domain/unit';
import type { ContextChecks } from './checks/context-checks';
import type { FileWork } from './files/file-work';
import type { Judge } from './checks/quality';
import type { Newcomers } from './milestones';
import type { RecentUnits } from './recent-units';
import type { KeyedMutex } from './keyed-mutex';
import type { TextIndex } from './search/text-index';
import type { UnitCache } from './unit-cache';
import type { UnitEffects } from './edit/unit-effects';
import type { SearchBudget } from './search/search-budget';
import type { UnitSearch } from './search/unit-search';

/** What the use cases are given. */
export interface Deps {
  units: UnitStore;
  /** Reads and writes files, large ones in worker threads. */
  files: FileWork;
  /** All units of a translation, most of them from memory. */
  unitCache: UnitCache;
  recentUnits: RecentUnits;
  /** Edits of one unit wait for each other here, not in the store. */
  unitTurns: KeyedMutex<number>;
  textIndex: TextIndex;
  translations: TranslationStore;
  changes: ChangeStore;
  suggestions: SuggestionStore;
  comments: CommentStore;
  removals: RemovalStore;
  ids: Ids;
  catalog: Catalog;
  agreements: Agreements;
  directory: Directory;
  search: UnitSearch;
  searchBudget: SearchBudget;
  repository: Repository;
  announcer: Announcer;
  effects: UnitEffects;
  newcomers: Newcomers;
  /** Checks and flags for the strings of a component in a language; the same one comes back while the settings are the same. */
  judge(component: Component, language: Language): Judge;
  /** What does not change with every edit of a translation (component, language, file); kept for some seconds. */
  facts(translation: number): Promise<Translation | null>;
  forgetFacts(translation: number): void;
  /** Flags that people gave a unit's source unit; those of a component are kept until they change. */
  sourceFlags(unit: Pick<Unit, 'component' | 'sourceUnit'>): Promise<string>;
  forgetSourceFlags(component: number): void;
  /** Translations of a project in a language; kept for some seconds. */
  neighbours(project: number, language: string): Promise<Neighbour[]>;
  forgetNeighbours(project: number): void;
  /** Terms of a project's glossaries in a language; kept for some seconds. */
  glossary(project: number, language: string): Promise<readonly GlossaryTerm[]>;
  /**
   * To be called after terms of a project's glossaries were added, changed or removed: the strings that are checked with them are
   * looked at again, soon and in the background. @param language null: all
   */
  termsChanged(project: number, language: string | null): Promise<void>;
  contextChecks: ContextChecks;
  /** Removes a translation with its strings; the history keeps what waited to be committed. */
  removeTranslation(translation: Translation, by: Author | null): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
}
