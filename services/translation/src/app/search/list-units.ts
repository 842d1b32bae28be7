import { countLookup } from '@parlance/telemetry';
import type {
  Page,
  TranslationQueries,
  TranslationReader,
  UnitQueries,
  UnitReader,
  UnitVersion,
} from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import { SizedCache } from '../caches/sized-cache';
import { allOf, everyUnit, inTranslation, type UnitQuery } from '../../domain/unit-query';
import type { RecentUnits } from '../caches/recent-units';
import type { CachedSearch } from './cached-search';
import { readChangedUnits, withoutKnown, type ChangedUnits } from './changed-units';
import { planSiteSearch } from './plan-site-search';
import { runSearch, type SearchBudget, type SearchCaller } from './search-budget';
import type { IndexMarks, SearchIndex } from './search-index';
import { siteConditions } from './site-conditions';
import { isHeavy, type Search, type UnitSearch } from './unit-search';

export interface ListUnitsDeps {
  units: Pick<UnitReader, 'get' | 'many'> & Pick<UnitQueries, 'page' | 'pageVersions'>;
  translations: Pick<TranslationReader, 'get'> & Pick<TranslationQueries, 'ids' | 'sumGroups'>;
  search: UnitSearch;
  searchBudget: SearchBudget;
  searchIndex: Pick<SearchIndex<Unit>, 'page' | 'readMarks'>;
  recentUnits: Pick<RecentUnits, 'get' | 'record'>;
  cachedSearch: Pick<CachedSearch, 'page'>;
}

export interface StreamUnitsDeps {
  units: Pick<UnitQueries, 'pageAfter'>;
  translations: Pick<TranslationReader, 'get'>;
  search: UnitSearch;
  searchBudget: SearchBudget;
}

export interface ListUnitsRequest {
  page: number;
  size: number;
  /** 0: all translations. */
  translation: number;
  q: string;
  excludedComponents: number[];
  excludedProjects: number[];
  projects: number[];
  /** Catalog generation that the caller has seen. */
  generation: string;
  /** 0: any. */
  sourceUnit: number;
  /** Version of the page in the caller's cache; 0: not cached. */
  knownVersion: number;
  /** Units of that page that need not be returned in the same version. */
  knownUnits: readonly UnitVersion[];
  caller: SearchCaller;
}

export interface UnitPage extends ChangedUnits {
  /** Version of the translation for which the caller may cache the page; 0: not cacheable. */
  version: number;
  /** The caller's cached page is current; `items` is empty. */
  unchanged: boolean;
  /** The page depends on units alone: not on time, users or objects of other services. */
  stable: boolean;
}

/** Units before a page from which the search index finds it faster than the store, which reads them. */
const DEEP = 2_000;
/** Capacity of the page cache, in units. */
const CACHED_UNITS = 200_000;
/** Translations that are remembered as they were read last, in characters of their ids. */
const LAST_READ = 100_000;
/** Strings of a translation up to which the store scans them faster than it reads the documents of the index. */
const SCANNED_STRINGS = 4_000;

/** Lists units in pages. The cache key of a translation's page contains its version, so a cached page is never stale. */
export class UnitLister {
  private readonly pages = new SizedCache<Page<Unit>>(CACHED_UNITS);
  private readonly lastRead = new SizedCache<{ version: number; strings: number }>(LAST_READ);

  constructor(private readonly deps: ListUnitsDeps) {}

  /** @throws INVALID on field q */
  async list(request: ListUnitsRequest): Promise<UnitPage> {
    const search = this.deps.search.parse(request.q);
    const stable = search === null || search.stable;
    const page = await (request.translation
      ? this.listTranslation(request, search, stable)
      : this.listAll(request, search));
    return { ...page, stable };
  }

  private async listAll(request: ListUnitsRequest, search: Search | null): Promise<Omit<UnitPage, 'stable'>> {
    const { deps } = this;
    return this.run(request, search, null, async (heavy) => {
      const scope = { translation: null, projects: request.projects, generation: request.generation };
      const found = search && (await deps.search.query(search, scope));
      const query = await this.query(request, found);
      const indexed = isIndexed(request, search) ? await this.indexedPage(request, search, query, null) : null;
      if (indexed) return { ...withoutKnown(indexed, []), version: 0, unchanged: false };
      const { page, size } = request;
      const conditions = siteConditions(found);
      // For one source string, an index finds its units.
      const plan = request.sourceUnit ? {} : await planSiteSearch(deps.translations, request, conditions, page * size);
      const selected = plan.translations ? allOf(query, { kind: 'translations', ids: plan.translations }) : query;
      const options = { known: plan.total, count: heavy ? 'before' : 'meanwhile' } as const;
      const read = await deps.units.page(selected, page, size, options);
      return { ...withoutKnown(read, []), version: 0, unchanged: false };
    });
  }

  private async listTranslation(
    request: ListUnitsRequest,
    search: Search | null,
    isStable: boolean,
  ): Promise<Omit<UnitPage, 'stable'>> {
    const { deps } = this;
    const last = this.lastRead.get(String(request.translation));
    const isCached =
      isStable && (request.knownVersion > 0 || this.pages.get(keyOf(request, last?.version ?? 0)) !== undefined);
    const early = !isCached && last && isIndexed(request, search, last.strings) ? deps.searchIndex.readMarks() : null;
    const [translation, marks] = await Promise.all([deps.translations.get(request.translation), early]);
    if (!translation) return { ids: [], items: [], total: 0, version: 0, unchanged: false };
    const strings = translation.counters.all.s;
    this.lastRead.set(String(translation.id), { version: translation.version, strings }, 0);
    // Marks that were read before a new version do not contain its writes, so a page must not be cached under that version.
    const version = isStable && (!marks || translation.version === last?.version) ? translation.version : 0;
    if (version > 0 && version === request.knownVersion)
      return { ids: [], items: [], total: 0, version, unchanged: true };
    const key = keyOf(request, version);
    const cached = version > 0 ? countLookup('unit-pages', this.pages.get(key)) : undefined;
    if (cached) return { ...withoutKnown(cached, request.knownUnits), version, unchanged: false };
    const isInIndex = isIndexed(request, search, strings);
    const found = await this.run(request, search, translation, async (heavy) => {
      const inMemory = search && !isInIndex && !request.sourceUnit;
      const matches = inMemory ? await deps.cachedSearch.page(search, translation, request) : null;
      if (matches) return withoutKnown(matches, request.knownUnits);
      const scope = { translation, projects: request.projects, generation: request.generation };
      const query = await this.query(request, search && (await deps.search.query(search, scope)));
      const indexed = isInIndex ? await this.indexedPage(request, search, query, marks) : null;
      if (indexed) return withoutKnown(indexed, request.knownUnits);
      const known = request.q === '' && !request.sourceUnit ? strings : undefined;
      // Texts are usually found on one page, which tells the total.
      const count = heavy ? 'before' : search && search.required.type !== 'any' ? 'after' : 'meanwhile';
      const { page, size, knownUnits } = request;
      return readChangedUnits(deps, { query, page, size, options: { known, count } }, knownUnits);
    });
    deps.recentUnits.record(found.items);
    const { ids, items, total } = found;
    if (version > 0 && items.length === ids.length) this.pages.set(key, { items, total }, items.length + 1);
    return { ...found, version, unchanged: false };
  }

  private run<T>(
    { caller }: ListUnitsRequest,
    search: Search | null,
    translation: Translation | null,
    work: (heavy: boolean) => Promise<T>,
  ): Promise<T> {
    const heavy = isHeavy(search, translation);
    return runSearch(this.deps.searchBudget, caller, heavy, () => work(heavy));
  }

  /**
   * The page by the search index; null when the index is not built, or the store has to scan the units anyway.
   * @param marks those of the index, if read already
   */
  private async indexedPage(
    request: ListUnitsRequest,
    search: Search | null,
    query: UnitQuery,
    marks: IndexMarks | null,
  ): Promise<Page<Unit> | null> {
    const translations = await this.translationsOf(request);
    const required = search && search.required;
    const { size: limit } = request;
    return this.deps.searchIndex.page({ required, translations, query, skip: before(request), limit }, marks);
  }

  /** The translations in the scope of a request; null: all. */
  private async translationsOf(request: ListUnitsRequest): Promise<ReadonlySet<number> | null> {
    if (request.translation) return new Set([request.translation]);
    const { projects, excludedComponents, excludedProjects } = request;
    if (projects.length + excludedComponents.length + excludedProjects.length === 0) return null;
    return new Set(await this.deps.translations.ids([request]));
  }

  /** @param found the units that the search finds; null: all */
  private async query(request: ListUnitsRequest, found: UnitQuery | null): Promise<UnitQuery> {
    const { projects, excludedComponents, excludedProjects } = request;
    const queries: UnitQuery[] = [];
    queries.push(request.translation ? inTranslation(request.translation) : { kind: 'present' });
    if (request.sourceUnit) {
      const source = await this.deps.units.get(request.sourceUnit);
      queries.push({ kind: 'sourceUnit', id: request.sourceUnit, contentHash: source?.contentHash ?? '' });
    }
    if (projects.length > 0) queries.push({ kind: 'projects', ids: projects });
    if (excludedComponents.length > 0) queries.push({ kind: 'components', ids: excludedComponents, exclude: true });
    if (excludedProjects.length > 0) queries.push({ kind: 'projects', ids: excludedProjects, exclude: true });
    if (found) queries.push(found);
    return allOf(...queries);
  }
}

/** Key of a page of a translation in the page cache. */
const keyOf = ({ translation, page, size, sourceUnit, q }: ListUnitsRequest, version: number): string =>
  `${translation}:${version}:${page}:${size}:${sourceUnit}:${q}`;

/** Units before the page. */
const before = ({ page, size }: ListUnitsRequest): number => (page - 1) * size;

/** Whether the search index may answer faster than the store. @param strings those of the translation; of all: Infinity */
const isIndexed = (request: ListUnitsRequest, search: Search | null, strings = Infinity): boolean => {
  if (request.sourceUnit !== 0) return false;
  return search ? search.required.type !== 'any' && strings > SCANNED_STRINGS : before(request) >= DEEP;
};

/** Units in a batch. */
const STREAM_BATCH = 500;

/**
 * Streams the units of a translation that match a query in batches, by id. Concurrent insertions and removals neither repeat nor skip
 * other units (keyset pagination).
 * @throws INVALID on field q
 */
export async function* streamUnits(
  deps: StreamUnitsDeps,
  translation: number,
  q: string,
  generation: string,
  caller: SearchCaller,
): AsyncGenerator<Unit[]> {
  const search = deps.search.parse(q);
  const scope = { translation: await deps.translations.get(translation), projects: [], generation };
  const heavy = isHeavy(search, scope.translation);
  // Each batch acquires the semaphore separately: a slow reader must not hold it between batches.
  const run = <T>(work: () => Promise<T>): Promise<T> => runSearch(deps.searchBudget, caller, heavy, work);
  const found = search ? await run(() => deps.search.query(search, scope)) : everyUnit;
  const query = allOf(inTranslation(translation), found);
  for (let units: Unit[] | undefined; !units || units.length === STREAM_BATCH;) {
    const after = units?.at(-1)?.id ?? 0;
    units = await run(() => deps.units.pageAfter(query, after, STREAM_BATCH));
    if (units.length > 0) yield units;
  }
}
