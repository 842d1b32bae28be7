import { ServiceError } from '@parlance/errors';
import type { Component } from '../domain/component';
import type { Translation } from '../domain/translation';
import type { Parts } from './parts';

/**
 * A translation as it is now, with its component.
 * @param generation state of the catalog that the caller has seen
 * @throws NOT_FOUND
 */
export async function loadTranslation(
  parts: Pick<Parts, 'translations' | 'catalog'>,
  id: number,
  generation: string,
): Promise<{ translation: Translation; component: Component }> {
  const translation = await parts.translations.get(id);
  const component = translation && (await parts.catalog.component(translation.component, generation));
  if (!translation || !component) throw new ServiceError('NOT_FOUND');
  return { translation, component };
}
