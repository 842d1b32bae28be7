import type { EventBus } from '@parlance/events';
import { CacheGeneration } from './app/caches/cache-generation';
import { GlossaryCache } from './app/caches/glossary-cache';
import { JudgeCache } from './app/caches/judge-cache';
import { NeighbourCache } from './app/caches/neighbour-cache';
import { RecentUnits } from './app/caches/recent-units';
import { SourceFlagsCache } from './app/caches/source-flags-cache';
import { TranslationInfoCache } from './app/caches/translation-info-cache';
import { UnitCache } from './app/caches/unit-cache';
import { ContextChecks } from './app/checks/context-checks';
import { recoverPropagation } from './app/edit/propagate';
import { UnitEffects } from './app/edit/unit-effects';
import { FileWork } from './app/files/file-work';
import { KeyedMutex } from './app/keyed-mutex';
import { Newcomers, recordCompleted } from './app/milestones';
import { SearchBudget } from './app/search/search-budget';
import { TextIndex } from './app/search/text-index';
import { UnitSearch } from './app/search/unit-search';
import { AgreementsClient } from './clients/agreements-client';
import { ComponentCache } from './clients/component-cache';
import { EntityLookupClient } from './clients/entity-lookup-client';
import { EventAnnouncer } from './clients/event-announcer';
import { RepositoryFilesClient } from './clients/repository-files-client';
import type { Clients } from './compose-clients';
import type { Config } from './config';
import type { Ids } from './domain/ports';
import { MongoChangeStore, MongoCommentStore, MongoRemovalStore, MongoSuggestionStore } from './store/change-store';
import { MongoUnitLookups } from './store/lookup-store';
import type { Models } from './store/models';
import { MongoTranslationStore } from './store/translation-store';
import { MongoUnitStore } from './store/unit-store';

interface Environment {
  config: Config;
  models: Models;
  ids: Ids;
  bus: EventBus;
  clients: Clients;
  /** Replaces the generation of the strings for all replicas. */
  newGeneration(): Promise<void>;
}

export type App = ReturnType<typeof composeApp>;

/** Creates stores, caches and background work; the result satisfies the dependencies of every use case. */
export function composeApp({ config, models, ids, bus, clients, newGeneration }: Environment) {
  const stores = composeStores(models);
  const { units, translations, changes } = stores;
  const adapters = composeAdapters(clients);
  const caches = composeCaches(stores, adapters.catalog, newGeneration, () => contextChecks.recheckSoon());
  const { textIndex, unitCache } = caches;
  const announcer = new EventAnnouncer(bus, translations, [
    (translation, written) => textIndex.recordWrite(translation, written),
    (translation, written) => unitCache.recordWrite(translation, written),
  ]);
  const newcomers = new Newcomers({ changes, ids });
  const effects: UnitEffects = new UnitEffects(
    { units, translations, changes, announcer },
    {
      checks: (touched) => contextChecks.run(touched),
      completed: (translation, last) => recordCompleted({ translations, changes, ids }, translation, last),
      propagate: (unit, item) => recoverPropagation(writing, unit, item),
    },
  );
  const writing = { ...stores, ...adapters, ...caches, ids, announcer, newcomers, effects, now: () => Date.now() };
  const contextChecks: ContextChecks = new ContextChecks(writing);
  const files = new FileWork({ threads: config.PARLANCE_WORKER_THREADS, memoryMb: config.PARLANCE_WORKER_MEMORY_MB });
  return {
    ...writing,
    contextChecks,
    files,
    unitMutex: new KeyedMutex<number>(),
    search: new UnitSearch({ lookups: new MongoUnitLookups(models), entities: adapters.entities, translations }),
    searchBudget: new SearchBudget({
      total: config.TRANSLATION_SEARCHES,
      perCaller: config.TRANSLATION_SEARCHES_PER_CALLER,
      lingerMs: config.PARLANCE_QUERY_TIMEOUT_MS,
    }),
    /** Stops background work. */
    async stop(): Promise<void> {
      for (const part of [effects, announcer, newcomers, contextChecks, textIndex]) await part.stop();
      await files.close();
    },
  };
}

function composeStores(models: Models) {
  return {
    units: new MongoUnitStore(models.units),
    translations: new MongoTranslationStore(models.translations, models.units),
    changes: new MongoChangeStore(models.changes, models.counters),
    suggestions: new MongoSuggestionStore(models.suggestions),
    comments: new MongoCommentStore(models.comments),
    removals: new MongoRemovalStore(models.removals),
  };
}

function composeAdapters({ own, catalog, identity, media, vcsWorker }: Clients) {
  return {
    catalog: new ComponentCache(catalog, own),
    agreements: new AgreementsClient(catalog, own),
    entities: new EntityLookupClient({ catalog, identity, media }, own),
    repositoryFiles: new RepositoryFilesClient(vcsWorker, own),
  };
}

function composeCaches(
  { units, translations }: ReturnType<typeof composeStores>,
  catalog: ComponentCache,
  newGeneration: () => Promise<void>,
  recheckSoon: () => void,
) {
  const neighbours = new NeighbourCache(translations);
  const sourceFlags = new SourceFlagsCache(units, translations);
  const translationInfo = new TranslationInfoCache(translations);
  const invalidate = (): Promise<void> => cacheGeneration.changed();
  const glossary = new GlossaryCache({
    units,
    catalog,
    neighbours,
    sourceFlags,
    translations,
    invalidate,
    recheckSoon,
  });
  const cacheGeneration = new CacheGeneration([neighbours, sourceFlags, translationInfo, glossary], newGeneration);
  return {
    neighbours,
    sourceFlags,
    translationInfo,
    glossary,
    cacheGeneration,
    judges: new JudgeCache(),
    unitCache: new UnitCache(units),
    textIndex: new TextIndex(units, translations),
    recentUnits: new RecentUnits(),
  };
}
