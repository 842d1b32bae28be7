import type { Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import { componentHandlers } from './component-handlers';
import { maintenanceHandlers } from './maintenance-handlers';
import { projectHandlers } from './project-handlers';
import { structureHandlers } from './structure-handlers';

/** Methods that report all problems of a request: their use cases end with `throwIfInvalid`. */
export const reportsAllProblems = [
  'createProject',
  'updateProject',
  'createComponent',
  'createComponentFromFile',
  'updateComponent',
  'createCategory',
  'updateCategory',
  'createComponentList',
  'updateComponentList',
  'createLabel',
  'createLanguage',
  'updateLanguage',
  'createAddon',
  'updateAddon',
] as const satisfies (keyof Implementation<'catalog'>)[];

/** gRPC handlers of the catalog. */
export function makeHandlers(deps: Deps): Implementation<'catalog'> {
  return {
    ...projectHandlers(deps),
    ...componentHandlers(deps),
    ...structureHandlers(deps),
    ...maintenanceHandlers(deps),
  };
}
