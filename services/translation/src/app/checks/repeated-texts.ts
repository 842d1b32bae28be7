import type { SharedStrings } from '../../domain/ports';
import { TextCounts } from '../../domain/text-counts';
import type { Translation } from '../../domain/translation';
import type { ProjectTranslations } from '../caches/interfaces';

interface RepeatedTextsDeps {
  units: Pick<SharedStrings, 'eachTextKey'>;
  projectTranslations: ProjectTranslations;
}

/** Size of all translations in the language, as a multiple of one, up to which it pays to read the texts of all for the checks of that one. */
const MAX_SHARE = 3;

/**
 * Counts the texts of a project in the language of a translation, so that only those that may occur several times have to be looked up:
 * most are unique.
 * @returns null when looking up each text of the translation is cheaper
 */
export async function countTexts(
  { units, projectTranslations }: RepeatedTextsDeps,
  translation: Pick<Translation, 'id' | 'project' | 'language' | 'counters'>,
): Promise<TextCounts | null> {
  const others = (await projectTranslations.of(translation.project, translation.language.code)).filter(
    (other) => other.translation !== translation.id,
  );
  const own = translation.counters.all.s;
  const total = others.reduce((sum, { strings }) => sum + strings, own);
  if (total > own * MAX_SHARE) return null;
  const counts = new TextCounts(total);
  await units.eachTextKey([translation.id, ...others.map((other) => other.translation)], (key) => counts.add(key));
  return counts;
}
