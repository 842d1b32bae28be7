import type { Endpoint } from './routing/endpoint';
import { addonEndpoints } from './resources/addons/routes';
import { categoryEndpoints } from './resources/categories/routes';
import { checkEndpoints } from './resources/checks/routes';
import { componentListEndpoints } from './resources/component-lists/routes';
import { creditEndpoints } from './resources/credits/routes';
import { labelEndpoints } from './resources/labels/routes';
import { linkEndpoints } from './resources/links/routes';
import { archiveEndpoints } from './resources/archives/routes';
import { exportEndpoints } from './resources/exports/routes';
import { screenshotEndpoints } from './resources/screenshots/routes';
import { componentEndpoints } from './resources/components/routes';
import { fontEndpoints } from './resources/fonts/routes';
import { gitEndpoints } from './resources/git/routes';
import { groupEndpoints } from './resources/groups/routes';
import { hookEndpoints } from './resources/hooks/routes';
import { languageEndpoints } from './resources/languages/routes';
import { autotranslateEndpoints } from './resources/autotranslate/routes';
import { memoryEndpoints } from './resources/memory/routes';
import { otherEndpoints } from './resources/site/routes';
import { projectEndpoints } from './resources/projects/routes';
import { roleEndpoints } from './resources/roles/routes';
import { secondFactorEndpoints } from './resources/second-factors/routes';
import { tokenEndpoints } from './resources/tokens/routes';
import { searchEndpoints } from './resources/search/routes';
import { schemaEndpoint } from './resources/schema/routes';
import { translationEndpoints } from './resources/translations/routes';
import { unitCheckEndpoints } from './resources/units/checks/routes';
import { unitCommentEndpoints } from './resources/units/comments/routes';
import { unitContextEndpoints } from './resources/units/context/routes';
import { suggestionEndpoints } from './resources/units/suggestions/routes';
import { unitEndpoints } from './resources/units/routes';
import { userEndpoints } from './resources/users/routes';

/** The table of the public API. */
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
  ...unitCheckEndpoints,
  ...suggestionEndpoints,
  ...unitCommentEndpoints,
  ...unitContextEndpoints,
  ...checkEndpoints,
  ...memoryEndpoints,
  ...autotranslateEndpoints,
  ...addonEndpoints,
  ...categoryEndpoints,
  ...componentListEndpoints,
  ...labelEndpoints,
  ...fontEndpoints,
  ...linkEndpoints,
  ...creditEndpoints,
  ...archiveEndpoints,
  ...exportEndpoints,
  ...screenshotEndpoints,
  ...gitEndpoints,
  ...hookEndpoints,
];
