import { countLookup } from '@parlance/telemetry';
import { LRUCache } from 'lru-cache';
import type { Component } from '../domain/component';

const CAPACITY = 5_000;

/** Components as of one catalog generation. A write replaces the generation before its response, so a known generation has no newer settings. */
export class ComponentCache {
  private readonly entries = new LRUCache<number, Component>({ max: CAPACITY });
  private generation = '';

  /**
   * Components by id, ascending; deleted ones are missing.
   * @param generation of the catalog, as the caller of the request has seen it; '' if unknown: components are not cached @param load reads
   * components; its result must be as new as the generation
   */
  async get(
    ids: readonly number[],
    generation: string,
    load: (ids: readonly number[]) => Promise<Component[]>,
  ): Promise<Component[]> {
    if (generation === '') return load(ids);
    if (generation !== this.generation) this.entries.clear();
    this.generation = generation;
    const known = ids.flatMap((id) => this.entries.get(id) ?? []);
    const missing = ids.filter((id) => !this.entries.has(id));
    const all = countLookup('component-settings', missing.length === 0 ? known : undefined);
    if (all) return all.sort(byId);
    const loaded = await load(missing);
    // Another request may have brought a newer generation meanwhile.
    if (generation === this.generation)
      for (const component of loaded) this.entries.set(component.settings.id, component);
    return [...known, ...loaded].sort(byId);
  }
}

const byId = (a: Component, b: Component): number => a.settings.id - b.settings.id;
