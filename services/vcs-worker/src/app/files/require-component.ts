import { fieldErrors, ServiceError } from '@parlance/errors';
import type { Component } from '../../domain/component';
import type { Deps } from '../deps';

/** @throws ServiceError NOT_FOUND */
export async function requireComponent(deps: Pick<Deps, 'catalog'>, id: number): Promise<Component> {
  const component = await deps.catalog.component(id);
  if (!component) throw new ServiceError('NOT_FOUND', { message: 'There is no such component.' });
  return component;
}

/** A validation error of one field. */
export const fieldError = (attr: string, code: string, detail: string) => fieldErrors([{ attr, code, detail }]);
