import { canSee, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { accessTarget, type Component } from '../../domain/component';
import type { Catalog, UnitReader } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import type { TranslationInfo } from '../caches/interfaces';

/** A unit with its translation and component. */
export interface LoadedUnit {
  unit: Unit;
  translation: Translation;
  component: Component;
}

export interface UnitContextDeps {
  catalog: Catalog;
  translationInfo: TranslationInfo;
}

export interface LoadUnitDeps extends UnitContextDeps {
  units: Pick<UnitReader, 'get'>;
}

/** @throws NOT_FOUND */
export async function loadUnit(deps: LoadUnitDeps, id: number, generation: string): Promise<LoadedUnit> {
  const unit = await deps.units.get(id);
  if (!unit) throw new ServiceError('NOT_FOUND');
  return withContext(deps, unit, generation);
}

/** @throws NOT_FOUND, also where the caller may not see the component */
export async function loadVisibleUnit(
  deps: LoadUnitDeps,
  caller: Caller,
  id: number,
  generation: string,
): Promise<LoadedUnit> {
  const loaded = await loadUnit(deps, id, generation);
  if (!canSee(caller, accessTarget(loaded.component))) throw new ServiceError('NOT_FOUND');
  return loaded;
}

/** Adds the translation and component of a unit. @throws NOT_FOUND */
export async function withContext(deps: UnitContextDeps, unit: Unit, generation: string): Promise<LoadedUnit> {
  const [component, translation] = await Promise.all([
    deps.catalog.component(unit.component, generation),
    deps.translationInfo.get(unit.translation),
  ]);
  if (!component || !translation) throw new ServiceError('NOT_FOUND');
  return { unit, translation, component };
}

/** Number of texts of a unit's target. */
export function formsOf(unit: Unit, translation: Translation): number {
  return unit.source.length > 1 && !unit.isSource ? translation.language.pluralNumber : unit.source.length;
}
