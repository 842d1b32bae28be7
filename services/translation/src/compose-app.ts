import { OutboxMeter, type EventBus } from '@parlance/events';
import { CacheGeneration } from './app/caches/cache-generation';
import { GlossaryCache } from './app/caches/glossary-cache';
import { UnitEvaluatorCache } from './app/caches/unit-evaluator-cache';
import { ProjectTranslationsCache } from './app/caches/project-translations-cache';
import { RecentUnits } from './app/caches/recent-units';
import { SourceFlagsCache } from './app/caches/source-flags-cache';
import { TranslationInfoCache } from './app/caches/translation-info-cache';
import { UnitCache } from './app/caches/unit-cache';
import { CachedSearch } from './app/search/cached-search';
import { ContextChecks } from './app/checks/context-checks';
import { CatalogWithFonts } from './app/fonts/catalog-with-fonts';
import { ProjectFontsCache } from './app/fonts/project-fonts-cache';
import { outboxBacklog } from './app/effects/outbox-backlog';
import { recoverPropagation } from './app/effects/propagate';
import { UnitEffects } from './app/effects/unit-effects';
import { FileWorkerPool } from './app/files/file-worker-pool';
import { KeyedMutex } from './app/keyed-mutex';
import { NewContributors, recordCompleted } from './app/milestones';
import { SearchBudget } from './app/search/search-budget';
import { SearchIndex } from './app/search/search-index';
import { SearchIndexer } from './app/search/search-indexer';
import { UnitSearch } from './app/search/unit-search';
import { AgreementsClient } from './clients/agreements-client';
import { ComponentCache } from './clients/component-cache';
import { EntityLookupClient } from './clients/entity-lookup-client';
import { EventAnnouncer } from './clients/event-announcer';
import { FontSourceClient } from './clients/font-source-client';
import { RepositoryFilesClient } from './clients/repository-files-client';
import type { Clients } from './compose-clients';
import type { Config } from './config';
import type { CatalogGeneration, ContentGenerations, Ids } from './domain/ports';
import { MongoFencingTokenStore } from './store/fencing-token-store';
import { MongoFontStore } from './store/font-store';
import { MongoChangeStore } from './store/history/change-store';
import { MongoUnitLookups } from './store/lookup-store';
import type { Models } from './store/models';
import { MongoMemoryIndexStore } from './store/indexes/memory-index-store';
import { MongoSearchIndexStore } from './store/indexes/search-index-store';
import { MongoAnnouncementMarkStore } from './store/outbox/announcement-mark-store';
import { MongoCommentStore, MongoSuggestionStore } from './store/remark-stores';
import { MongoRemovalStore } from './store/removal-store';
import { MongoTranslationStore } from './store/translation-store';
import { MongoUnitStore } from './store/units/unit-store';

/** Interval between passes of the search indexer, in milliseconds. */
const INDEX_EVERY_MS = 5_000;

export interface Environment {
  config: Config;
  models: Models;
  ids: Ids;
  bus: EventBus;
  clients: Clients;
  /** Replaces the generation of the strings for all replicas. */
  newGeneration(): Promise<void>;
  catalogGeneration: CatalogGeneration;
  contents: ContentGenerations;
}

export type App = ReturnType<typeof composeApp>;

/** Creates stores, caches and background work; the result satisfies the dependencies of every use case. */
export function composeApp(environment: Environment) {
  const { config, models, ids, bus, clients, newGeneration, catalogGeneration, contents } = environment;
  const stores = composeStores(models, contents);
  const { units, translations, changes } = stores;
  const projectFonts = new ProjectFontsCache(stores.fonts);
  const adapters = composeAdapters(clients, projectFonts);
  const caches = composeCaches({ ...stores, projectFonts }, adapters.catalog, newGeneration, () =>
    contextChecks.scheduleRecheck(),
  );
  const searchIndexer = new SearchIndexer(
    { store: stores.searchIndexStore, translations, now: () => Date.now() },
    { everyMs: INDEX_EVERY_MS, graceMs: config.PARLANCE_SEARCH_INDEX_GRACE_MS },
  );
  const announcer = new EventAnnouncer(bus, stores.announcementMarks, contents, [
    (translation, written) => caches.unitCache.recordWrite(translation, written),
  ]);
  const newContributors = new NewContributors({ changes, ids });
  const effects: UnitEffects = new UnitEffects(
    { units, translations, changes, announcer },
    {
      checks: (touched) => contextChecks.run(touched),
      completed: (translation, last) => recordCompleted({ translations, changes, ids }, translation, last),
      propagate: (unit, item) => recoverPropagation(writing, unit, item),
    },
  );
  const writing = {
    ...stores,
    ...adapters,
    ...caches,
    catalogGeneration,
    contents,
    ids,
    announcer,
    newContributors,
    effects,
    now: () => Date.now(),
  };
  const contextChecks: ContextChecks = new ContextChecks(writing);
  const outboxMeter = new OutboxMeter((before, limit) => outboxBacklog(stores, before, limit));
  const files = new FileWorkerPool({
    threads: config.PARLANCE_WORKER_THREADS,
    memoryMb: config.PARLANCE_WORKER_MEMORY_MB,
  });
  return {
    ...writing,
    contextChecks,
    searchIndexer,
    outboxMeter,
    files,
    unitMutex: new KeyedMutex<number>(),
    search: new UnitSearch({ lookups: new MongoUnitLookups(models), entities: adapters.entities, translations }),
    searchBudget: composeSearchBudget(config),
    /** Stops background work. */
    async stop(): Promise<void> {
      for (const part of [effects, announcer, outboxMeter, newContributors, contextChecks, searchIndexer])
        await part.stop();
      await files.close();
    },
  };
}

function composeSearchBudget(config: Config): SearchBudget {
  return new SearchBudget({
    total: config.TRANSLATION_SEARCHES,
    perCaller: config.TRANSLATION_SEARCHES_PER_CALLER,
    lingerMs: config.PARLANCE_QUERY_TIMEOUT_MS,
  });
}

/** The stores of a process. */
export function composeStores(models: Models, contents: ContentGenerations) {
  return {
    units: new MongoUnitStore(models.units, models.searchOpen),
    searchIndexStore: new MongoSearchIndexStore(models),
    memoryIndexStore: new MongoMemoryIndexStore(models),
    translations: new MongoTranslationStore(models.translations, models.units),
    announcementMarks: new MongoAnnouncementMarkStore(models.translations),
    changes: new MongoChangeStore(models.changes, models.counters, contents),
    suggestions: new MongoSuggestionStore(models.suggestions, contents),
    comments: new MongoCommentStore(models.comments, contents),
    removals: new MongoRemovalStore(models.removals),
    fonts: new MongoFontStore(models.fonts),
    fencingTokens: new MongoFencingTokenStore(models.fencingTokens),
  };
}

function composeAdapters(
  { callerToken, catalog, identity, media, vcsWorker }: Clients,
  projectFonts: ProjectFontsCache,
) {
  return {
    catalog: new CatalogWithFonts(new ComponentCache(catalog, callerToken), projectFonts),
    fontSource: new FontSourceClient(media, callerToken),
    agreements: new AgreementsClient(catalog, callerToken),
    entities: new EntityLookupClient({ catalog, identity, media }, callerToken),
    repositoryFiles: new RepositoryFilesClient(vcsWorker, callerToken),
  };
}

function composeCaches(
  {
    units,
    translations,
    searchIndexStore,
    projectFonts,
  }: ReturnType<typeof composeStores> & { projectFonts: ProjectFontsCache },
  catalog: CatalogWithFonts,
  newGeneration: () => Promise<void>,
  recheckSoon: () => void,
) {
  const projectTranslations = new ProjectTranslationsCache(translations);
  const sourceFlags = new SourceFlagsCache(units, translations);
  const translationInfo = new TranslationInfoCache(translations);
  const invalidate = (): Promise<void> => cacheGeneration.changed();
  const glossary = new GlossaryCache({
    units,
    catalog,
    projectTranslations,
    sourceFlags,
    translations,
    invalidate,
    forget: () => cacheGeneration.forget(),
    scheduleRecheck: recheckSoon,
  });
  const cacheGeneration = new CacheGeneration(
    [projectTranslations, sourceFlags, translationInfo, glossary, projectFonts],
    newGeneration,
  );
  const unitCache = new UnitCache(units);
  return {
    projectTranslations,
    sourceFlags,
    translationInfo,
    glossary,
    cacheGeneration,
    projectFonts,
    evaluators: new UnitEvaluatorCache(),
    unitCache,
    cachedSearch: new CachedSearch(unitCache),
    searchIndex: new SearchIndex(searchIndexStore, units, translations),
    recentUnits: new RecentUnits(),
  };
}
