import type { Component } from '../../domain/component';
import type { Catalog, CatalogGeneration, CheckMarks } from '../../domain/ports';
import type { BackgroundChecks } from './background-checks';

export interface CurrentSettingsDeps {
  catalog: Catalog;
  catalogGeneration: Pick<CatalogGeneration, 'current'>;
}

export interface RerunIfChangedDeps extends CurrentSettingsDeps {
  translations: Pick<CheckMarks, 'markRerun'>;
  contextChecks: Pick<BackgroundChecks, 'scheduleRecheck'>;
}

/** Settings that the strings read before have to be judged by: no change that precedes this call is missing. Null: the component does not exist. */
export async function currentSettings(deps: CurrentSettingsDeps, component: number): Promise<Component | null> {
  return deps.catalog.component(component, await deps.catalogGeneration.current());
}

/**
 * Reruns the checks of a component if settings that they depend on changed since `used` was read. For work that evaluates strings over a
 * longer time: the rerun for the new settings may have preceded its writes. Called after the last write.
 */
export async function rerunIfChanged(deps: RerunIfChangedDeps, used: Component): Promise<void> {
  const now = await currentSettings(deps, used.id);
  if (!now || sameCheckSettings(used, now)) return;
  await deps.translations.markRerun({ component: used.id });
  deps.contextChecks.scheduleRecheck();
}

function sameCheckSettings(a: Component, b: Component): boolean {
  return a.checkFlags === b.checkFlags && a.isGlossary === b.isGlossary && a.propagation === b.propagation;
}
