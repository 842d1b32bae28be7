import type { GlossaryTerm } from '@parlance/checks';
import { EventBus, type RunningConsumer } from '@parlance/events';
import { isServiceError } from '@parlance/errors';
import type { vcsWorker as vcs } from '@parlance/contracts';
import { chunks, createClient, ownCaller, serve } from '@parlance/grpc-kit';
import { logger, type RunningProcess } from '@parlance/telemetry';
import { BlockIds, connectMongo, ensureIndexes, inBulk } from '@parlance/store-kit';
import { CatalogAgreements } from './app/agreements';
import { CatalogCache } from './app/catalog-cache';
import { ServiceDirectory } from './app/catalog-directory';
import { ContextChecks } from './app/checks/context-checks';
import { Downloader } from './app/download-file';
import { FileWork } from './app/files/file-work';
import { glossaryTerms } from './app/checks/glossary';
import { UnitLister } from './app/search/list-units';
import type { Deps } from './app/deps';
import { Judge } from './app/checks/quality';
import { Newcomers, recordCompleted } from './app/milestones';
import { RecentUnits } from './app/recent-units';
import { KeyedMutex } from './app/keyed-mutex';
import { removeTranslation } from './app/remove-translation';
import { SearchBudget } from './app/search/search-budget';
import { TextIndex } from './app/search/text-index';
import { UnitCache } from './app/unit-cache';
import { UnitEffects } from './app/edit/unit-effects';
import { UnitSearch } from './app/search/unit-search';
import { composeAutotranslate } from './compose-autotranslate';
import { composeMemory } from './compose-memory';
import type { Config } from './config';
import { changeMade } from './consumers/change-made';
import { peopleGone } from './consumers/people';
import { structureChanged } from './consumers/structure';
import type { Neighbour, Repository } from './domain/ports';
import type { Translation } from './domain/translation';
import { EventAnnouncer } from './grpc/announcer';
import { completing, makeHandlers } from './grpc/handlers';
import { makeRepositoryHandlers } from './grpc/repository-handlers';
import { authorToProto } from './grpc/mappers';
import { makeAdmissions } from './grpc/uploads';
import { MongoChangeStore, MongoCommentStore, MongoRemovalStore, MongoSuggestionStore } from './store/change-store';
import { MongoUnitLookups } from './store/lookup-store';
import { makeModels } from './store/models';
import { MongoTranslationStore } from './store/translation-store';
import { MongoUnitStore } from './store/unit-store';

/** How long facts of a translation that hardly ever change are kept, in milliseconds. */
const FACTS_MAX_AGE_MS = 5_000;
/** How long a whole file may take to be committed and read, in milliseconds. */
const REPLACE_TIMEOUT_MS = 280_000;
const NAME = 'translation';

/** A running translation service and the port it listens on. */
export interface TranslationService extends RunningProcess {
  port: number;
}

export async function compose(config: Config, namespace?: string): Promise<TranslationService> {
  const mongo = await connectMongo(config.MONGODB_URI, {
    maxPoolSize: 20,
    queryTimeoutMs: config.PARLANCE_QUERY_TIMEOUT_MS,
  });
  const { connection } = mongo;
  const models = makeModels(connection);
  await ensureIndexes(models);
  const bus = await EventBus.connect({
    url: config.NATS_URL,
    service: NAME,
    replicas: config.NATS_REPLICAS,
    ...(namespace ? { namespace } : {}),
  });
  const own = ownCaller(NAME, config.PARLANCE_SERVICE_SECRET);
  const catalog = createClient('catalog', config.CATALOG_ADDRESS);
  const identity = createClient('identity', config.IDENTITY_ADDRESS);
  const media = createClient('media', config.MEDIA_ADDRESS);
  const vcsWorker = createClient('vcs-worker', config.VCS_WORKER_ADDRESS);

  const units = new MongoUnitStore(models.units);
  const translations = new MongoTranslationStore(models.translations, models.units);
  const changes = new MongoChangeStore(models.changes, models.counters);
  const suggestions = new MongoSuggestionStore(models.suggestions);
  const ids = new BlockIds(models.counters.collection, 100);
  const textIndex = new TextIndex(units, translations);
  const unitCache = new UnitCache(units);
  const files = new FileWork({
    threads: config.PARLANCE_WORKER_THREADS,
    memoryMb: config.PARLANCE_WORKER_MEMORY_MB,
  });
  const admissions = makeAdmissions(config.PARLANCE_FILE_MEMORY_MB);
  const announcer = new EventAnnouncer(bus, translations, [
    (t, written) => textIndex.written(t, written),
    (t, written) => unitCache.wrote(t, written),
  ]);
  const contextChecks = new ContextChecks(() => deps);
  const effects = new UnitEffects(
    units,
    translations,
    changes,
    announcer,
    (touched) => contextChecks.run(touched),
    (translation, last) => recordCompleted({ translations, changes, ids }, translation, last),
  );
  const newcomers = new Newcomers({ changes, ids });
  const repository: Repository = {
    async readFile(component, path) {
      const bytes: Buffer[] = [];
      let revision = '';
      try {
        for await (const message of vcsWorker.readFile(
          { componentId: component, path },
          { as: own(), timeoutMs: 60_000 },
        )) {
          revision ||= message.revision;
          bytes.push(message.chunk);
        }
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return null;
        throw error;
      }
      return { bytes: Buffer.concat(bytes), revision };
    },
    async replaceFile({ component, path, bytes, author, updateTranslations }) {
      async function* messages(): AsyncGenerator<vcs.ReplaceFileRequest> {
        yield { header: { componentId: component, path, author: authorToProto(author), updateTranslations } };
        for (const chunk of chunks(bytes)) yield { chunk };
      }
      await vcsWorker.replaceFile(messages(), { as: own(), timeoutMs: REPLACE_TIMEOUT_MS });
    },
  };
  const directory = new ServiceDirectory({ catalog, identity, media }, own);
  const now = () => Date.now();
  const judges = new Map<string, Judge>();
  const facts = new Map<number, { at: number; value: Promise<Translation | null> }>();
  const neighbours = new Map<string, { at: number; value: Promise<Neighbour[]> }>();
  const glossaries = new Map<string, { at: number; value: Promise<readonly GlossaryTerm[]> }>();
  const sourceFlags = new Map<number, { at: number; value: Promise<Map<number, string>> }>();
  const catalogCache = new CatalogCache(catalog, own);
  const deps: Deps = {
    units,
    files,
    unitCache,
    recentUnits: new RecentUnits(),
    unitTurns: new KeyedMutex(),
    textIndex,
    translations,
    changes,
    suggestions,
    comments: new MongoCommentStore(models.comments),
    removals: new MongoRemovalStore(models.removals),
    ids,
    catalog: catalogCache,
    agreements: new CatalogAgreements(catalog, own),
    directory,
    searchBudget: new SearchBudget({
      total: config.TRANSLATION_SEARCHES,
      perCaller: config.TRANSLATION_SEARCHES_PER_CALLER,
      lingerMs: config.PARLANCE_QUERY_TIMEOUT_MS,
    }),
    search: new UnitSearch({ lookups: new MongoUnitLookups(models), directory, translations }),
    repository,
    announcer,
    effects,
    newcomers,
    now,
    judge(component, language) {
      // All of them that a judge looks at.
      const { id, sourceLanguage, isGlossary, checkFlags } = component;
      const { code, pluralNumber, pluralFormula } = language;
      const key = [id, code, pluralNumber, pluralFormula, sourceLanguage.code, isGlossary, checkFlags].join(':');
      let judge = judges.get(key);
      if (!judge) {
        if (judges.size > 5_000) judges.clear();
        judges.set(key, (judge = new Judge(component, language)));
      }
      return judge;
    },
    facts: (id) => remembered(facts, id, () => translations.get(id)),
    forgetFacts: (translation) => facts.delete(translation),
    async sourceFlags({ component, sourceUnit }) {
      const flags = await remembered(sourceFlags, component, async () => {
        const source = (await translations.ofComponent(component)).find((t) => t.isSource);
        return source ? units.extraFlags(source.id) : new Map<number, string>();
      });
      return flags.get(sourceUnit) ?? '';
    },
    neighbours: (project, language) =>
      remembered(neighbours, `${project} ${language}`, () => translations.inProject(project, language)),
    forgetNeighbours(project) {
      for (const key of neighbours.keys()) if (key.startsWith(`${project} `)) neighbours.delete(key);
    },
    glossary: (project, language) =>
      remembered(glossaries, `${project} ${language}`, () => glossaryTerms(deps, project, language)),
    async termsChanged(project, language) {
      for (const key of glossaries.keys())
        if (language === null ? key.startsWith(`${project} `) : key === `${project} ${language}`)
          glossaries.delete(key);
      await translations.markTerms(project, language);
      contextChecks.recheckSoon();
    },
    contextChecks,
    forgetSourceFlags: (component) => sourceFlags.delete(component),
    async removeTranslation(translation, by) {
      await removeTranslation({ units, translations, changes, ids, announcer, now }, translation, by);
      if ((await catalogCache.component(translation.component, ''))?.isGlossary)
        await deps.termsChanged(translation.project, translation.language.code);
    },
  };

  const consumers: RunningConsumer[] = [
    await bus.consume({
      durable: 'translation-history',
      payloads: ['changeMade'],
      handle: asBulk(changeMade(deps)),
      batch: 50,
    }),
    await bus.consume({
      durable: 'translation-structure',
      payloads: ['projectUpdated', 'componentUpdated', 'componentDeleted'],
      handle: asBulk(structureChanged(deps)),
    }),
    await bus.consume({ durable: 'translation-people', payloads: ['userDeleted'], handle: asBulk(peopleGone(deps)) }),
  ];
  const memory = await composeMemory({ deps, bus, models, ids, catalog, own, config, admissions });
  const autotranslate = composeAutotranslate({
    deps,
    memory: memory.parts,
    models,
    config,
    vcsWorker,
    own,
    componentNamed: (project, path) => catalogCache.named(project, path),
  });
  effects.start();
  announcer.start();
  contextChecks.start();
  const server = await serve({
    name: NAME,
    listen: config.GRPC_LISTEN,
    serviceSecret: config.PARLANCE_SERVICE_SECRET,
    implementation: {
      ...makeHandlers(deps, new UnitLister(deps), new Downloader(deps), consumers[0]!, admissions),
      ...makeRepositoryHandlers(deps, admissions),
      ...memory.handlers,
      ...autotranslate.handlers,
    },
    completing,
  });
  logger.info({ port: server.port }, 'translation listens');
  return {
    port: server.port,
    ready: { mongo: mongo.ping, nats: () => bus.connected() },
    dependencies: { mongo: mongo.dependency, nats: bus.dependency() },
    async drain() {
      await autotranslate.stop();
      await server.drain();
      await bus.drain();
      await effects.stop();
      await announcer.stop();
      await newcomers.stop();
      await contextChecks.stop();
      await textIndex.stop();
      await files.close();
    },
    async close() {
      await bus.close();
      catalog.close();
      identity.close();
      media.close();
      vcsWorker.close();
      await connection.close();
    },
  };
}

/** Events are not answered to anybody: their queries may take as long as maintenance. */
const asBulk =
  <E>(handle: (events: E) => Promise<void>) =>
  (events: E): Promise<void> =>
    inBulk(() => handle(events));

function remembered<K, V>(map: Map<K, { at: number; value: Promise<V> }>, id: K, read: () => Promise<V>): Promise<V> {
  const entry = map.get(id);
  if (entry && Date.now() - entry.at < FACTS_MAX_AGE_MS) return entry.value;
  if (map.size > 50_000) map.clear();
  const value = read();
  map.set(id, { at: Date.now(), value });
  value.catch(() => map.delete(id));
  return value;
}
