import { z } from 'zod';
import * as field from './field';

/** Settings of a project. */
export const projectSettings = z.object({
  name: field.line('Name, unique on the site.', { filled: true, maxLength: 60 }),
  slug: field.line('Part of URLs, unique on the site; a single dash is not allowed.', {
    filled: true,
    maxLength: 60,
    shape: 'slug',
  }),
  web: field.line('Website of the project.', { filled: true, maxLength: 200, shape: 'http-url' }),
  check_flags: field
    .text('Flags that apply to all strings of the project.', { maxLength: 10_000, shape: 'flags' })
    .default(''),
  translation_review: field.boolean('Enables reviews of translations (state 30).').default(false),
  source_review: field.boolean('Requires a review of source strings before they can be translated.').default(false),
  commit_policy: field
    .integerChoice(
      'Strings that are committed: 0 all, 20 all except those that need editing, 30 only approved ones.',
      [0, 20, 30],
    )
    .default(0),
  set_language_team: field.boolean('Sets the translation-team header of files that have one.').default(true),
  enable_hooks: field.boolean('Allows inbound hooks to update the components of the project.').default(true),
  instructions: field.text('Instructions for translators.', { maxLength: 20_000 }).default(''),
  language_aliases: field
    .text('Aliases of language codes in file names, in the form from:to,from:to.', { maxLength: 2_000 })
    .default(''),
  secondary_language: field
    .id('Id of a language to show beside the source language; null: none.')
    .nullable()
    .default(null),
  enforced_2fa: field.boolean('Requires a confirmed second factor for changes; bots are exempt.').default(false),
  access_control: field
    .integerChoice(
      'Visibility: 0 public, 1 protected (everybody sees it, only its teams change it), 100 private (its teams), 200 custom (manually configured teams).',
      [0, 1, 100, 200],
    )
    .default(0),
  use_shared_tm: field.boolean('Uses the shared translation memory for suggestions.').default(true),
  contribute_shared_tm: field.boolean('Adds translations to the shared translation memory.').default(true),
  hook_secret: field
    .line('Secret that inbound hooks must prove with the provider’s signature or token; empty: not required.', {
      maxLength: 200,
      access: 'write-only',
      secret: { sentTo: [] },
    })
    .default(''),
});
