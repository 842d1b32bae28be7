import type { Component } from '../../domain/component';
import type { Catalog, CatalogInvalidation } from '../../domain/ports';

/** Component settings that include every write until now: another replica may have handled the event of the last change. */
export function currentComponent(
  catalog: Catalog & Pick<CatalogInvalidation, 'forget'>,
  id: number,
): Promise<Component | null> {
  catalog.forget(id);
  return catalog.component(id, '');
}
