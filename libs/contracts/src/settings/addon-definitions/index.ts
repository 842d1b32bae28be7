import type { AddonDefinition } from './definition';
import { filesAddons } from './files';
import { gettextAddons } from './gettext';
import { stringsAddons } from './strings';
import { structureAddons } from './structure';

/** The add-ons, by the identifiers that clients know. Validation, effects and documentation go by this table. */
export const addonDefinitions: readonly AddonDefinition[] = [
  ...stringsAddons,
  ...filesAddons,
  ...gettextAddons,
  ...structureAddons,
];

const byName = new Map(addonDefinitions.map((d) => [d.name, d]));

/** The add-on of this name, or undefined. */
export function addonDefinition(name: string): AddonDefinition | undefined {
  return byName.get(name);
}
