import type { Endpoint } from './http/endpoint';
import { addonEndpoints } from './routes/addons';
import { categoryEndpoints } from './routes/categories';
import { componentListEndpoints } from './routes/component-lists';
import { creditEndpoints } from './routes/credits';
import { labelEndpoints } from './routes/labels';
import { linkEndpoints } from './routes/links';
import { archiveEndpoints } from './routes/archives';
import { exportEndpoints } from './routes/exports';
import { screenshotEndpoints } from './routes/screenshots';
import { componentEndpoints } from './routes/components';
import { gitEndpoints } from './routes/git';
import { groupEndpoints } from './routes/groups';
import { hookEndpoints } from './routes/hooks';
import { languageEndpoints } from './routes/languages';
import { autotranslateEndpoints } from './routes/autotranslate';
import { memoryEndpoints } from './routes/memory';
import { otherEndpoints } from './routes/others';
import { projectEndpoints } from './routes/projects';
import { roleEndpoints } from './routes/roles';
import { secondFactorEndpoints } from './routes/second-factors';
import { tokenEndpoints } from './routes/tokens';
import { searchEndpoints } from './routes/search';
import { schemaEndpoint } from './routes/schema';
import { translationEndpoints } from './routes/translations';
import { unitEndpoints } from './routes/units';
import { userEndpoints } from './routes/users';

/** The table of the whole public API. */
export const endpoints: readonly Endpoint[] = [
  ...otherEndpoints,
  schemaEndpoint(() => endpoints),
  ...searchEndpoints,
  ...userEndpoints,
  ...tokenEndpoints,
  ...secondFactorEndpoints,
  ...groupEndpoints,
  ...roleEndpoints,
  ...languageEndpoints,
  ...projectEndpoints,
  ...componentEndpoints,
  ...translationEndpoints,
  ...unitEndpoints,
  ...memoryEndpoints,
  ...autotranslateEndpoints,
  ...addonEndpoints,
  ...categoryEndpoints,
  ...componentListEndpoints,
  ...labelEndpoints,
  ...linkEndpoints,
  ...creditEndpoints,
  ...archiveEndpoints,
  ...exportEndpoints,
  ...screenshotEndpoints,
  ...gitEndpoints,
  ...hookEndpoints,
];
