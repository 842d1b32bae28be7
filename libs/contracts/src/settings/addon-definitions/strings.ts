import { z } from 'zod';
import { everywhere, query, simple, type AddonDefinition } from './definition';
import * as field from '../field';

/** Add-ons that work on strings. */
export const stringsAddons: readonly AddonDefinition[] = [
  {
    name: 'weblate.autotranslate.autotranslate',
    title: 'Automatic translation',
    doc: 'Translates strings on installation, daily and after repository updates.',
    events: ['install', 'daily', 'update'],
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: z.object({
      mode: field.choice('How translations are stored: as suggestions, or in the given state.', [
        'suggest',
        'translate',
        'fuzzy',
        'approved',
      ]),
      q: query('Search query for the strings to translate.'),
      auto_source: field.choice('Source of translations: other components or machine translation.', ['others', 'mt']),
      component: field
        .line('Component that provides translations; empty: all components of the project.', { maxLength: 500 })
        .default(''),
      engines: field.list('Machine translation engines to use.', { maxItems: 50 }).default([]),
      threshold: field.integer('Minimum quality of a machine translation, in percent.', { min: 1, max: 100 }),
    }),
  },
  {
    name: 'weblate.flags.bulk',
    title: 'Bulk edit',
    doc: 'Changes state, flags and labels of strings after repository updates.',
    events: ['install', 'update'],
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: z.object({
      q: query('Search query for the strings to change.'),
      state: field.integerChoice('New state; -1: unchanged.', [-1, 10, 20, 30]),
      path: field.line('Limits the edit to strings below this path.', { maxLength: 500 }).default(''),
      add_flags: field.text('Flags to add.', { maxLength: 10_000, shape: 'flags' }).default(''),
      remove_flags: field.text('Flags to remove.', { maxLength: 10_000, shape: 'flags' }).default(''),
      add_labels: field.list('Labels to add.', { maxItems: 100 }).default([]),
      remove_labels: field.list('Labels to remove.', { maxItems: 100 }).default([]),
    }),
  },
  simple(
    'weblate.flags.same_edit',
    'Mark unchanged translations',
    'Marks imported translations that equal their source as needing editing.',
    ['import'],
  ),
  simple(
    'weblate.flags.source_edit',
    'Mark new source strings',
    'Marks new source strings from the repository as needing editing.',
    ['import'],
    { editTemplate: true },
  ),
  simple(
    'weblate.flags.target_edit',
    'Mark new translations',
    'Marks new translations from the repository as needing editing.',
    ['import'],
  ),
  simple(
    'weblate.flags.target_repo_update',
    'Mark changed translations',
    'Marks translations that changed in the repository as needing editing.',
    ['import'],
  ),
  simple(
    'weblate.generate.fill_read_only',
    'Fill read-only strings',
    'Copies the source to the translation of read-only strings.',
    ['install', 'update', 'daily'],
  ),
  simple(
    'weblate.generate.prefill',
    'Prefill translations',
    'Copies the source to new translations and marks them as needing editing.',
    ['install', 'update', 'daily'],
  ),
  {
    name: 'weblate.generate.pseudolocale',
    title: 'Pseudolocale',
    doc: 'Generates a pseudolocale for testing from another translation.',
    events: ['install', 'update', 'daily'],
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: z.object({
      source: field.integer('Id of the translation that provides the strings.', { min: 1 }),
      target: field.integer('Id of the translation to generate.', { min: 1 }),
      prefix: field.line('Prefix of each string.', { maxLength: 100 }).default(''),
      var_prefix: field
        .line('Prefix that is repeated in proportion to the length of the string.', { maxLength: 100 })
        .default(''),
      suffix: field.line('Suffix of each string.', { maxLength: 100 }).default(''),
      var_suffix: field
        .line('Suffix that is repeated in proportion to the length of the string.', { maxLength: 100 })
        .default(''),
      var_multiplier: field
        .number('Repetitions of var_prefix and var_suffix per character of the string.', { min: 0, max: 10 })
        .default(0.1),
      include_readonly: field.boolean('Includes read-only strings.').default(false),
    }),
  },
  {
    name: 'weblate.removal.comments',
    title: 'Remove old comments',
    doc: 'Removes old comments daily.',
    events: ['install', 'daily'],
    multiple: false,
    scopes: everywhere,
    fits: {},
    settings: z.object({
      age: field.integer('Age in days.', { min: 1, max: 36_500 }),
    }),
  },
  {
    name: 'weblate.removal.suggestions',
    title: 'Remove old suggestions',
    doc: 'Removes old suggestions daily.',
    events: ['install', 'daily'],
    multiple: false,
    scopes: everywhere,
    fits: {},
    settings: z.object({
      age: field.integer('Age in days.', { min: 1, max: 36_500 }),
      votes: field.integer('Maximum number of votes of a removed suggestion.', { min: -10_000, max: 10_000 }),
    }),
  },
];
