import type { Component } from '../domain/component';
import type { Catalog } from '../domain/ports';
import type { Neighbours } from './caches/interfaces';

export interface SharingDeps {
  neighbours: Neighbours;
  catalog: Catalog;
}

/**
 * Whether a language of a project has so many components that share their texts with others. Where it has not, a string has no twin
 * in another component and nobody has to look for one: a project's own glossary, for instance, shares nothing. No more components
 * are asked about than it takes to know; of a large project nearly always the first ones.
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
