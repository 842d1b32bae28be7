import { z } from 'zod';
import { count, percentage, text, time, webUrl } from '../../responses/schema';

const group = <N extends string>(name: N) =>
  ({
    [name]: count,
    [`${name}_percent`]: percentage,
    [`${name}_words`]: count,
    [`${name}_words_percent`]: percentage,
    [`${name}_chars`]: count,
    [`${name}_chars_percent`]: percentage,
  }) as Record<N | `${N}_${'words' | 'chars'}`, typeof count> &
    Record<`${N}_percent` | `${N}_${'words' | 'chars'}_percent`, typeof percentage>;

export const statisticsSchema = z
  .strictObject({
    total: count,
    total_words: count,
    total_chars: count,
    last_change: time.nullable(),
    recent_changes: count,
    ...group('translated'),
    ...group('fuzzy'),
    failing: count,
    failing_percent: percentage,
    ...group('approved'),
    ...group('readonly'),
    readonly_char_percent: percentage,
    suggestions: count,
    comments: count,
    last_author: text.nullable(),
    code: text.optional(),
    name: text.optional(),
    url: webUrl.optional(),
    translate_url: webUrl.optional(),
    url_translate: webUrl.optional(),
  })
  .meta({ id: 'Statistics' });

/** The statistics of one language of a project. */
export const projectLanguageSchema = statisticsSchema.extend({ language: text, words_percent: percentage });
