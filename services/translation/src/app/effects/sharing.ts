import { inPortions } from '@parlance/workload';
import type { Component } from '../../domain/component';
import type { Catalog } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import type { ProjectTranslations } from '../caches/interfaces';

export interface SharingDeps {
  projectTranslations: ProjectTranslations;
  catalog: Catalog;
}

/** Components that are asked for at a time. */
const CONCURRENCY = 40;

/**
 * Whether at least `many` components of a project have propagation on in a language. Otherwise no string has a twin in another
 * component and the query for twins is skipped. Stops at the first components that suffice.
 * @param generation catalog generation that the caller has seen; '' when unknown
 * @param matches further condition on the components
 */
export async function areSharing(
  deps: SharingDeps,
  { project, language }: { project: number; language: string },
  minimum: number,
  generation: string,
  matches: (component: Component) => boolean = () => true,
): Promise<boolean> {
  let found = 0;
  for (const { component: id } of await deps.projectTranslations.of(project, language)) {
    const component = await deps.catalog.component(id, generation);
    if (component?.propagation && matches(component) && ++found === minimum) return true;
  }
  return false;
}

/**
 * The existing components of some units by id.
 * @param generation as of `areSharing`
 */
export async function componentsOf(
  { catalog }: Pick<SharingDeps, 'catalog'>,
  units: readonly Pick<Unit, 'component'>[],
  generation: string,
): Promise<ReadonlyMap<number, Component>> {
  const ids = [...new Set(units.map((unit) => unit.component))];
  const found = await inPortions(ids, CONCURRENCY, (some) =>
    Promise.all(some.map((id) => catalog.component(id, generation))),
  );
  return new Map(found.flatMap((component) => (component ? [[component.id, component]] : [])));
}
