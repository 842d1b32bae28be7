import type { Component } from '../domain/component';
import type { Catalog } from '../domain/ports';
import type { Neighbours } from './caches/interfaces';

export interface SharingDeps {
  neighbours: Neighbours;
  catalog: Catalog;
}

/**
 * Whether at least `many` components of a project have propagation on in a language. Otherwise no string has a twin in another
 * component and the query for twins is skipped. Stops at the first components that suffice.
 * @param generation of the caller's permissions, which tells how new the settings have to be; empty: any recent ones
 * @param counts which of those that share are meant
 */
export async function areSharing(
  deps: SharingDeps,
  { project, language }: { project: number; language: string },
  many: number,
  generation: string,
  counts: (component: Component) => boolean = () => true,
): Promise<boolean> {
  let found = 0;
  for (const { component: id } of await deps.neighbours.of(project, language)) {
    const component = await deps.catalog.component(id, generation);
    if (component?.propagation && counts(component) && ++found === many) return true;
  }
  return false;
}
