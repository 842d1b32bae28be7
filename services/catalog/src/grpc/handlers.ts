import type { Implementation } from '@parlance/grpc-kit';
import type { Parts } from '../app/parts';
import { componentHandlers } from './component-handlers';
import { projectHandlers } from './project-handlers';
import { structureHandlers } from './structure-handlers';

/** The whole contract of the catalog. */
export function makeHandlers(parts: Parts): Implementation<'catalog'> {
  return { ...projectHandlers(parts), ...componentHandlers(parts), ...structureHandlers(parts) };
}
