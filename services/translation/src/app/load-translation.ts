import { ServiceError } from '@parlance/errors';
import type { Component } from '../domain/component';
import type { Translation } from '../domain/translation';
import type { Catalog, TranslationReader } from '../domain/ports';

export interface LoadTranslationDeps {
  translations: Pick<TranslationReader, 'get'>;
  catalog: Catalog;
}

/**
 * Reads a translation and its component.
 * @param generation catalog generation that the caller has seen
 * @throws NOT_FOUND
 */
export async function loadTranslation(
  deps: LoadTranslationDeps,
  id: number,
  generation: string,
): Promise<{ translation: Translation; component: Component }> {
  const translation = await deps.translations.get(id);
  const component = translation && (await deps.catalog.component(translation.component, generation));
  if (!translation || !component) throw new ServiceError('NOT_FOUND');
  return { translation, component };
}
