import { z } from 'zod';
import { apiUrl, count, flag, id, text, time } from '../../../responses/schema';

export const diffPart = z.strictObject({ op: z.enum(['equal', 'delete', 'insert']), text }).meta({ id: 'DiffPart' });

export const suggestionSchema = z
  .strictObject({
    id,
    unit: apiUrl('units/1/'),
    target: z.array(text),
    user: apiUrl('users/ann/')
      .nullable()
      .meta({ description: 'Null: no user, such as a conflict with the repository.' }),
    timestamp: time.nullable(),
    votes: count,
    voted: flag.meta({ description: 'Whether the caller voted for it.' }),
    diff: z
      .array(z.array(diffPart))
      .meta({ description: 'For each plural form, how the present target becomes the suggestion.' }),
    url: apiUrl('units/1/suggestions/2/'),
  })
  .meta({ id: 'Suggestion' });

export const votesSchema = z
  .strictObject({
    votes: count,
    voted: flag,
    accepted: flag.meta({ description: 'The suggestion got the votes that it needed and is the translation now.' }),
  })
  .meta({ id: 'SuggestionVotes' });

export const decidedSchema = z
  .strictObject({
    results: z.array(
      z
        .strictObject({
          suggestion: id,
          unit: apiUrl('units/1/'),
          done: flag,
          problem: text.meta({ description: 'Why the suggestion was left as it is; empty if done.' }),
        })
        .meta({ id: 'DecidedSuggestion' }),
    ),
  })
  .meta({ id: 'DecidedSuggestions' });
