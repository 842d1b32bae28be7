import type { Page } from '../domain/ports';
import type { Unit } from '../domain/unit';
import { SizedCache } from './page-cache';
import type { Parts } from './parts';
import { searchFilter } from './search-filter';

export interface ListUnits {
  page: number;
  size: number;
  /** 0: over all translations. */
  translation: number;
  q: string;
  excludedComponents: number[];
  excludedProjects: number[];
  projects: number[];
  /** 0: any. */
  sourceUnit: number;
}

/** Units that are kept in memory as pages. */
const CACHED_UNITS = 200_000;

/** Answers pages of units; pages of a translation are remembered under its version, so they are right as long as they are used. */
export class UnitLister {
  private readonly pages = new SizedCache<Page<Unit>>(CACHED_UNITS);

  constructor(private readonly parts: Parts) {}

  /** @throws INVALID on field q */
  async list(request: ListUnits): Promise<Page<Unit>> {
    const { parts } = this;
    const filter = await this.filter(request);
    if (!request.translation) return parts.units.page(filter, request.page, request.size);
    const translation = await parts.translations.get(request.translation);
    if (!translation) return { items: [], total: 0 };
    const key = `${translation.id}:${translation.version}:${request.page}:${request.size}:${request.sourceUnit}:${request.q}`;
    // Dates in a query may be relative to now.
    const cacheable = !/ago|yesterday|today|now/i.test(request.q);
    const cached = cacheable ? this.pages.get(key) : undefined;
    if (cached) return cached;
    const known = request.q === '' && !request.sourceUnit ? translation.counters.all.s : undefined;
    const page = await parts.units.page(filter, request.page, request.size, known);
    if (cacheable) this.pages.set(key, page, page.items.length + 1);
    return page;
  }

  private async filter(request: ListUnits): Promise<object> {
    const conditions: object[] = [];
    if (request.translation) conditions.push({ translation: request.translation });
    if (request.sourceUnit) {
      const source = await this.parts.units.get(request.sourceUnit);
      const translations = source ? await this.parts.translations.ofComponent(source.component) : [];
      conditions.push({ translation: { $in: translations.map((t) => t.id) }, sourceUnit: request.sourceUnit });
    }
    if (request.projects.length > 0) conditions.push({ project: { $in: request.projects } });
    if (request.excludedComponents.length > 0) conditions.push({ component: { $nin: request.excludedComponents } });
    if (request.excludedProjects.length > 0) conditions.push({ project: { $nin: request.excludedProjects } });
    const search = searchFilter(request.q);
    if (search) conditions.push(search);
    return conditions.length === 0 ? {} : conditions.length === 1 ? conditions[0]! : { $and: conditions };
  }
}
