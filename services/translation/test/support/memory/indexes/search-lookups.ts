import type { SearchDeps } from '../../../../src/app/search/search-terms';
import type { CuratedSource, UnitLookups } from '../../../../src/domain/ports';
import type { StringsWorld } from '../world';

/** Lookups that answer with given units and record the area and condition of each search. */
export class MemoryLookups implements UnitLookups {
  readonly calls: unknown[][] = [];
  changed: number[] = [];
  remarked: number[] = [];
  curatedSources: CuratedSource[] = [];
  sourceUnits: number[] = [];
  /** Source strings by their translation. */
  readonly contextsOf = new Map<number, { id: number; context: string }[]>();
  /** Source texts by their component. */
  readonly textsOf = new Map<number, string[]>();

  private answer<T>(found: readonly T[], limit: number, ...call: unknown[]): T[] {
    this.calls.push(call);
    return found.slice(0, limit);
  }

  async changedUnits(...[scope, filter, limit]: Parameters<UnitLookups['changedUnits']>): Promise<number[]> {
    return this.answer(this.changed, limit, 'changes', scope, filter);
  }

  async remarkedUnits(...[kind, scope, condition, limit]: Parameters<UnitLookups['remarkedUnits']>): Promise<number[]> {
    return this.answer(this.remarked, limit, kind, scope, condition);
  }

  async curated(...[scope, limit]: Parameters<UnitLookups['curated']>): Promise<CuratedSource[]> {
    return this.answer(this.curatedSources, limit, 'curated', scope);
  }

  async sources(...[scope, condition, limit]: Parameters<UnitLookups['sources']>): Promise<number[]> {
    return this.answer(this.sourceUnits, limit, 'sources', scope, condition);
  }

  async contexts(translation: number, limit: number): Promise<{ id: number; context: string }[]> {
    return this.answer(this.contextsOf.get(translation) ?? [], limit, 'contexts', translation);
  }

  async sourceTexts(components: readonly number[], limit: number): Promise<string[]> {
    const found = components.flatMap((id) => this.textsOf.get(id) ?? []);
    return this.answer(found, limit, 'texts', components);
  }
}

/** What searches know about a world: project 1 is `p`, label 5 is `urgent`, the users are those of the world. */
export function searchDeps(world: StringsWorld) {
  const lookups = new MemoryLookups();
  const screenshots = new Map<string, number[]>();
  const entities: SearchDeps['entities'] = {
    userId: async (username) => [...world.authors.values()].find((a) => a.username === username)?.userId ?? null,
    componentsOf: async (project) =>
      [...world.components.values()].filter((component) => project === 0 || component.project === project),
    projectId: async (slug) => (slug === 'p' ? 1 : null),
    labelNames: async (ids) => new Map(ids.includes(5) ? [[5, 'urgent']] : []),
    screenshotUnits: async (translations, name, limit) => {
      lookups.calls.push(['screenshots', translations, name]);
      return (screenshots.get(name) ?? []).slice(0, limit);
    },
  };
  return { lookups, screenshots, deps: { lookups, entities, translations: world.translations } };
}
