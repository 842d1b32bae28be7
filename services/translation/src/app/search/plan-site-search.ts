import type { GroupSum, TranslationQueries } from '../../domain/ports';
import { groups, type Group } from '../../domain/counters';
import type { SiteConditions } from './site-conditions';

/** The translations that the caller may see. */
export interface SiteScope {
  /** Empty: all. */
  projects: readonly number[];
  excludedComponents: readonly number[];
  excludedProjects: readonly number[];
}

export interface SitePlan {
  /** The number of matching units; absent: unknown. */
  total?: number;
  /** Translations of all matching units, if the store finds them by translation faster than by reading all units. */
  translations?: readonly number[];
}

/** Units that the store reads in some milliseconds. */
const FEW_UNITS = 20_000;
/** Translations in one query. */
const MAX_TRANSLATIONS = 1_000;

const evaluate = (sum: GroupSum, counted: Readonly<Record<Group, number>>): number =>
  groups.reduce((total, group) => total + (sum[group] ?? 0) * counted[group], 0);

const selectsAll = ({ projects, excludedComponents, excludedProjects }: SiteScope): boolean =>
  [projects, excludedComponents, excludedProjects].every((ids) => ids.length === 0);

/**
 * How the store answers a search in all translations.
 * @param end number of units up to the end of the page
 */
export async function planSiteSearch(
  translations: Pick<TranslationQueries, 'sumGroups' | 'ids'>,
  { projects, excludedComponents, excludedProjects }: SiteScope,
  { translations: conditions, count }: SiteConditions,
  end: number,
): Promise<SitePlan> {
  const scope = { projects, excludedComponents, excludedProjects };
  const matching = [scope, ...conditions];
  const summing = translations.sumGroups(matching);
  const [counted, all] = await Promise.all([
    summing,
    selectsAll(scope) && conditions.length === 0 ? summing : translations.sumGroups([]),
  ]);
  const plan: SitePlan = count ? { total: evaluate(count, counted) } : {};
  if (plan.total === 0) return plan;
  // By id, the store reads units until the page is full, or all of them if it counts.
  const read = plan.total === undefined ? all.all : Math.min(1, end / plan.total) * all.all;
  if (read <= FEW_UNITS) return plan;
  const narrowed = count ? [...matching, { counting: count }] : matching;
  const { all: inNarrowed } = count ? await translations.sumGroups(narrowed) : counted;
  // A page of units found by translation is sorted.
  if (inNarrowed > read / 2) return plan;
  const ids = await translations.ids(narrowed);
  return ids.length <= MAX_TRANSLATIONS ? { ...plan, translations: ids } : plan;
}
