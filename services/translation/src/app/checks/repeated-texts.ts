import type { SharedStrings, TranslationQueries } from '../../domain/ports';
import { TextCounts } from '../../domain/text-counts';
import type { Translation } from '../../domain/translation';

interface RepeatedTextsDeps {
  units: Pick<SharedStrings, 'eachTextKey'>;
  translations: Pick<TranslationQueries, 'inProject'>;
}

/** Size of all translations in the language, as a multiple of one, up to which it pays to read the texts of all for the checks of that one. */
const MAX_SHARE = 3;

/**
 * Counts the texts of a project in the language of a translation, so that only those that may occur several times have to be looked up:
 * most are unique.
 * @returns null when looking up each text of the translation is cheaper
 */
export async function countTexts(
  { units, translations }: RepeatedTextsDeps,
  { id, project, language }: Pick<Translation, 'id' | 'project' | 'language'>,
): Promise<TextCounts | null> {
  // From the store: caches may miss a translation that another replica has imported.
  const all = await translations.inProject(project, language.code);
  const own = all.find(({ translation }) => translation === id)?.strings ?? 0;
  const total = all.reduce((sum, { strings }) => sum + strings, 0);
  if (total > own * MAX_SHARE) return null;
  const counts = new TextCounts(total);
  const ids = all.map(({ translation }) => translation);
  await units.eachTextKey(ids, (key) => counts.add(key));
  return counts;
}
