import { canSee, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { accessTarget } from '../../domain/component';
import type { Page, Suggestion, SuggestionStore, UnitReader } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import { loadVisibleUnit, type LoadUnitDeps } from '../edit/load-unit';
import { loadTranslation, type LoadTranslationDeps } from '../load-translation';

export interface ListSuggestionsDeps extends LoadUnitDeps, LoadTranslationDeps {
  units: Pick<UnitReader, 'get' | 'many'>;
  suggestions: Pick<SuggestionStore, 'page'>;
}

export interface SuggestionOfUnit {
  suggestion: Suggestion;
  unit: Unit;
}

/** Suggestions of a unit or translation, by id, and their component. @throws NOT_FOUND */
export async function listSuggestions(
  deps: ListSuggestionsDeps,
  caller: Caller,
  of: { unit: number } | { translation: number },
  { page, size }: { page: number; size: number },
  generation: string,
): Promise<Page<SuggestionOfUnit> & { component: number }> {
  if ('unit' in of) {
    // The unit decides whether the caller may see its suggestions.
    const [{ unit }, { items, total }] = await Promise.all([
      loadVisibleUnit(deps, caller, of.unit, generation),
      deps.suggestions.page(of, page, size),
    ]);
    return { items: items.map((suggestion) => ({ suggestion, unit })), total, component: unit.component };
  }
  const [{ component }, { items, total }] = await Promise.all([
    loadTranslation(deps, of.translation, generation),
    deps.suggestions.page(of, page, size),
  ]);
  if (!canSee(caller, accessTarget(component))) throw new ServiceError('NOT_FOUND');
  const units = new Map((await deps.units.many(items.map(({ unit }) => unit))).map((unit) => [unit.id, unit]));
  return {
    items: items.flatMap((suggestion) => {
      const unit = units.get(suggestion.unit);
      return unit ? [{ suggestion, unit }] : [];
    }),
    total,
    component: component.id,
  };
}
