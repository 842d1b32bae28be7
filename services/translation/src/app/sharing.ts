import type { Component } from '../domain/component';
import type { Parts } from './parts';

/**
 * Components of a project that have a language and share their texts with each other. Where there is but one, a string has no twin in
 * another, and nobody has to look for it: a project's own glossary, for instance, shares nothing.
 * @param generation of the caller's permissions, which tells how new the settings have to be; empty: any recent ones
 */
export async function sharingComponents(
  parts: Pick<Parts, 'neighbours' | 'catalog'>,
  project: number,
  language: string,
  generation: string,
): Promise<Component[]> {
  const sharing: Component[] = [];
  for (const id of new Set((await parts.neighbours(project, language)).map((n) => n.component))) {
    const component = await parts.catalog.component(id, generation);
    if (component?.propagation) sharing.push(component);
  }
  return sharing;
}
