import type { Component, Language } from '../domain/component';
import type {
  Announcer,
  Catalog,
  ChangeStore,
  Ids,
  Repository,
  RemovalStore,
  SuggestionStore,
  TranslationStore,
  UnitStore,
} from '../domain/ports';
import type { Translation } from '../domain/translation';
import type { Author, Unit } from '../domain/unit';
import type { Judge } from './quality';
import type { UnitCache } from './unit-cache';
import type { UnitEffects } from './unit-effects';

/** What the use cases are given. */
export interface Parts {
  units: UnitStore;
  /** All units of a translation, most of them from memory. */
  unitCache: UnitCache;
  translations: TranslationStore;
  changes: ChangeStore;
  suggestions: SuggestionStore;
  removals: RemovalStore;
  ids: Ids;
  catalog: Catalog;
  repository: Repository;
  announcer: Announcer;
  effects: UnitEffects;
  /** Checks and flags for the strings of a component in a language; the same one comes back while the settings are the same. */
  judge(component: Component, language: Language): Judge;
  /** What does not change with every edit of a translation (component, language, file); kept for some seconds. */
  facts(translation: number): Promise<Translation | null>;
  /** Flags that people gave a unit's source unit; those of a component are kept until they change. */
  sourceFlags(unit: Pick<Unit, 'component' | 'sourceUnit'>): Promise<string>;
  forgetSourceFlags(component: number): void;
  /** Removes a translation with its strings; the history keeps what waited to be committed. */
  removeTranslation(translation: Translation, by: Author | null): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
}
