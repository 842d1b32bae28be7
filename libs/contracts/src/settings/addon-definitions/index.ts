import type { AddonDefinition } from './definition';
import { filesAddons } from './files';
import { gettextAddons } from './gettext';
import { stringsAddons } from './strings';
import { structureAddons } from './structure';

/** All add-ons. Validation, effects and documentation use this table. */
export const addonDefinitions: readonly AddonDefinition[] = [
  ...stringsAddons,
  ...filesAddons,
  ...gettextAddons,
  ...structureAddons,
];

const byName = new Map(addonDefinitions.map((d) => [d.name, d]));

/** The definition of an add-on by name. */
export function addonDefinition(name: string): AddonDefinition | undefined {
  return byName.get(name);
}
