import type { Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import { addonHandlers } from './addon-handlers';
import { categoryHandlers } from './category-handlers';
import { componentReadHandlers, componentWriteHandlers } from './component-handlers';
import { componentListHandlers } from './component-list-handlers';
import { componentStateHandlers } from './component-state-handlers';
import { labelHandlers } from './label-handlers';
import { languageHandlers } from './language-handlers';
import { linkHandlers } from './link-handlers';
import { maintenanceHandlers } from './maintenance-handlers';
import { projectHandlers } from './project-handlers';
import { siteHandlers } from './site-handlers';

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
    ...languageHandlers(deps),
    ...projectHandlers(deps),
    ...labelHandlers(deps),
    ...categoryHandlers(deps),
    ...componentReadHandlers(deps),
    ...componentWriteHandlers(deps),
    ...componentStateHandlers(deps),
    ...linkHandlers(deps),
    ...componentListHandlers(deps),
    ...addonHandlers(deps),
    ...siteHandlers(deps),
    ...maintenanceHandlers(deps),
  };
}
