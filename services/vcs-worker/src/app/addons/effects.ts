import { discovery } from './discovery';
import type { Effect } from './effect';
import { blank, cleanup, followTemplate, generate, jsonLayout, sortedProperties, xmlLayout, yamlLayout } from './files';
import { authors, configure, linguas, mo, msgmerge, wrapping } from './gettext';
import { sameLanguages } from './languages';
import { squashCommits } from './squash';
import {
  automaticTranslation,
  bulkEdit,
  oldComments,
  fillReadOnly,
  prefill,
  oldSuggestions,
  pseudolocale,
} from './strings';

/** Effects of the add-ons that work on repositories, by name in the table of add-ons. */
export const effects: Readonly<Record<string, Effect>> = {
  'weblate.autotranslate.autotranslate': automaticTranslation,
  'weblate.cleanup.blank': blank,
  'weblate.cleanup.generic': cleanup,
  'weblate.consistency.languages': sameLanguages,
  'weblate.discovery.discovery': discovery,
  'weblate.flags.bulk': bulkEdit,
  'weblate.generate.fill_read_only': fillReadOnly,
  'weblate.generate.generate': generate,
  'weblate.generate.prefill': prefill,
  'weblate.generate.pseudolocale': pseudolocale,
  'weblate.gettext.authors': authors,
  'weblate.gettext.configure': configure,
  'weblate.gettext.customize': wrapping,
  'weblate.gettext.linguas': linguas,
  'weblate.gettext.mo': mo,
  'weblate.gettext.msgmerge': msgmerge,
  'weblate.git.squash': squashCommits,
  'weblate.json.customize': jsonLayout,
  'weblate.properties.sort': sortedProperties,
  'weblate.removal.comments': oldComments,
  'weblate.removal.suggestions': oldSuggestions,
  'weblate.resx.update': followTemplate,
  'weblate.xml.customize': xmlLayout,
  'weblate.yaml.customize': yamlLayout,
};
