import { discovery } from './discovery';
import type { Effect } from './effect';
import { blank, cleanup, followTemplate, generate, jsonLayout, sortedProperties, xmlLayout, yamlLayout } from './files';
import { authors, configure, linguas, mo, msgmerge, wrapping } from './gettext';
import { sameLanguages } from './languages';
import { squashCommits } from './squash';

/** What each add-on does that works on repositories, by its name in the table of add-ons. */
export const effects: Readonly<Record<string, Effect>> = {
  'weblate.cleanup.blank': blank,
  'weblate.cleanup.generic': cleanup,
  'weblate.consistency.languages': sameLanguages,
  'weblate.discovery.discovery': discovery,
  'weblate.generate.generate': generate,
  'weblate.gettext.authors': authors,
  'weblate.gettext.configure': configure,
  'weblate.gettext.customize': wrapping,
  'weblate.gettext.linguas': linguas,
  'weblate.gettext.mo': mo,
  'weblate.gettext.msgmerge': msgmerge,
  'weblate.git.squash': squashCommits,
  'weblate.json.customize': jsonLayout,
  'weblate.properties.sort': sortedProperties,
  'weblate.resx.update': followTemplate,
  'weblate.xml.customize': xmlLayout,
  'weblate.yaml.customize': yamlLayout,
};
