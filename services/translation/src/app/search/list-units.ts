import type { Page } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import { SizedCache } from './page-cache';
import type { Deps } from '../deps';
import { runSearch, type SearchCaller } from './search-budget';
import { isHeavy, type Search } from './unit-search';

export interface ListUnits {
  page: number;
  size: number;
  /** 0: over all translations. */
  translation: number;
  q: string;
  excludedComponents: number[];
  excludedProjects: number[];
  projects: number[];
  /** State of the catalog that the caller has seen. */
  generation: string;
  /** 0: any. */
  sourceUnit: number;
  /** Version under which the caller keeps this page; 0: it does not. */
  knownVersion: number;
  caller: SearchCaller;
}

/** A page, with the version of the translation under which it may be kept; 0: it may not. */
export interface UnitPage extends Page<Unit> {
  version: number;
  unchanged: boolean;
}

/** Units that are kept in memory as pages. */
const CACHED_UNITS = 200_000;

/** Answers pages of units; pages of a translation are remembered under its version, so they are right as long as they are used. */
export class UnitLister {
  private readonly pages = new SizedCache<Page<Unit>>(CACHED_UNITS);

  constructor(private readonly deps: Deps) {}

  /** @throws INVALID on field q */
  async list(request: ListUnits): Promise<UnitPage> {
    const { deps } = this;
    const search = deps.search.parse(request.q);
    if (!request.translation) {
      return this.run(request, search, null, async (heavy) => {
        const filter = await this.narrowed(await this.filter(request, search, null), search, () =>
          deps.translations.versions(request),
        );
        // Counting the units of a whole site takes long; their translations have counted them.
        const known = search || request.sourceUnit ? undefined : await deps.translations.countUnits(request);
        const found = await deps.units.page(filter, request.page, request.size, { known, oneByOne: heavy });
        return { ...found, version: 0, unchanged: false };
      });
    }
    const translation = await deps.translations.get(request.translation);
    if (!translation) return { items: [], total: 0, version: 0, unchanged: false };
    const key = `${translation.id}:${translation.version}:${request.page}:${request.size}:${request.sourceUnit}:${request.q}`;
    const cacheable = search === null || search.stable;
    const version = cacheable ? translation.version : 0;
    if (version > 0 && version === request.knownVersion) return { items: [], total: 0, version, unchanged: true };
    const cached = cacheable ? this.pages.get(key) : undefined;
    if (cached) return { ...cached, version, unchanged: false };
    const page = await this.run(request, search, translation, async (heavy) => {
      const filter = await this.narrowed(await this.filter(request, search, translation), search, () =>
        Promise.resolve([{ id: translation.id, version: translation.version, units: translation.counters.all.s }]),
      );
      const known = request.q === '' && !request.sourceUnit ? translation.counters.all.s : undefined;
      return deps.units.page(filter, request.page, request.size, { known, oneByOne: heavy });
    });
    deps.recentUnits.note(page.items);
    if (cacheable) this.pages.set(key, page, page.items.length + 1);
    return { ...page, version, unchanged: false };
  }

  private run<T>(
    { caller }: ListUnits,
    search: Search | null,
    translation: Translation | null,
    work: (heavy: boolean) => Promise<T>,
  ): Promise<T> {
    const heavy = isHeavy(search, translation);
    return runSearch(this.deps.searchBudget, caller, heavy, () => work(heavy));
  }

  /** The same units, found through the signatures of their texts where these rule out others. */
  private async narrowed(
    filter: object,
    search: Search | null,
    scope: () => Promise<{ id: number; version: number; units: number }[]>,
  ): Promise<object> {
    if (!search?.texts) return filter;
    const ids = await this.deps.textIndex.candidates(search.texts, await scope(), filter);
    return ids ? { $and: [{ _id: { $in: ids } }, filter] } : filter;
  }

  private async filter(request: ListUnits, search: Search | null, translation: Translation | null): Promise<object> {
    const conditions: object[] = [];
    if (request.translation) conditions.push({ translation: request.translation });
    if (request.sourceUnit) {
      const source = await this.deps.units.get(request.sourceUnit);
      conditions.push({ contentHash: source?.contentHash ?? '', sourceUnit: request.sourceUnit });
    }
    if (request.projects.length > 0) conditions.push({ project: { $in: request.projects } });
    if (request.excludedComponents.length > 0) conditions.push({ component: { $nin: request.excludedComponents } });
    if (request.excludedProjects.length > 0) conditions.push({ project: { $nin: request.excludedProjects } });
    const { projects, generation } = request;
    if (search) conditions.push(await this.deps.search.filter(search, { translation, projects, generation }));
    return conditions.length === 0 ? {} : conditions.length === 1 ? conditions[0]! : { $and: conditions };
  }
}

/** Units that are read together. */
const STREAM_BATCH = 500;

/**
 * Batches of units of a translation that a query selects, by id. What is added or removed meanwhile makes none of the others come twice or
 * not at all.
 * @throws INVALID on field q
 */
export async function* streamUnits(
  deps: Pick<Deps, 'search' | 'searchBudget' | 'translations' | 'units'>,
  translation: number,
  q: string,
  generation: string,
  caller: SearchCaller,
): AsyncGenerator<Unit[]> {
  const search = deps.search.parse(q);
  const scope = { translation: await deps.translations.get(translation), projects: [], generation };
  const heavy = isHeavy(search, scope.translation);
  // A place in the budget is held for each query: readers may be slow.
  const run = <T>(work: () => Promise<T>): Promise<T> => runSearch(deps.searchBudget, caller, heavy, work);
  const found = search && (await run(() => deps.search.filter(search, scope)));
  const filter = { $and: [{ translation }, found ?? {}] };
  for (let units: Unit[] | undefined; !units || units.length === STREAM_BATCH;) {
    const after = units?.at(-1)?.id ?? 0;
    units = await run(() => deps.units.following(filter, after, STREAM_BATCH));
    if (units.length > 0) yield units;
  }
}
