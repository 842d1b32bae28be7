import { z } from 'zod';
import { colors } from './choices';
import * as field from './field';

/** Settings of a language. */
export const languageSettings = z.object({
  code: field.line('Unique code of letters, digits and - _ @ .', {
    filled: true,
    maxLength: 50,
    shape: 'language-code',
  }),
  name: field.line('English name.', { filled: true, maxLength: 100 }),
  direction: field.choice('Direction of writing.', ['', 'ltr', 'rtl']).default(''),
  population: field.integer('Number of speakers.', { min: 0 }).default(0),
  plural: field.object('Plural rule: number of forms, formula (a gettext expression on n) and source.'),
});

/** Settings inside `plural` of a language. */
export const pluralSettings = z.object({
  source: field
    .integerChoice(
      'Origin of the rule: 0 default, 1 gettext header, 2 entered manually, 3 CLDR with zero, 4 CLDR, 5 Android, 6 Qt.',
      [0, 1, 2, 3, 4, 5, 6],
    )
    .default(0),
  number: field.integer('Number of plural forms.', { min: 1, max: 20 }),
  formula: field.line('Gettext expression on n that gives the index of the form.', { filled: true, maxLength: 1000 }),
});

/** Settings of a category. */
export const categorySettings = z.object({
  name: field.line('Name, unique among the components and categories of its level.', { filled: true, maxLength: 100 }),
  slug: field.line('Part of URLs, unique among the components and categories of its level.', {
    filled: true,
    maxLength: 100,
    shape: 'slug',
  }),
  project: field.relation('URL of the project; cannot be changed later.'),
  category: field
    .relation('URL of the parent category in the same project; null: none. Categories nest at most three levels deep.')
    .nullable()
    .default(null),
  configuration: field.object('Arbitrary data of clients; stored unchanged.').default({}),
});

/** Settings of a label. */
export const labelSettings = z.object({
  name: field.line('Name, unique in the project.', { filled: true, maxLength: 190 }),
  description: field.line('Purpose of the label.', { maxLength: 250 }).default(''),
  color: field.choice('Colour of the label.', colors).default('silver'),
});

/** Settings of a component list. */
export const componentListSettings = z.object({
  name: field.line('Name, unique on the site.', { filled: true, maxLength: 100 }),
  slug: field.line('Part of URLs, unique on the site.', { filled: true, maxLength: 100, shape: 'slug' }),
  show_dashboard: field.boolean('Shows the list on the dashboard.').default(true),
  components: field.list('URLs of its components.', { access: 'read-only' }).optional(),
  auto_assign: field
    .objects(
      'Rules with two regular expressions, project_match and component_match. A new component joins the list if its slug and the slug of its project match.',
      { maxItems: 100 },
    )
    .default([]),
});

/** Settings of an add-on. */
export const addonSettings = z.object({
  name: field.line('Identifier of the add-on; cannot be changed later.', {
    filled: true,
    maxLength: 100,
    vocabulary: 'add-on',
  }),
  configuration: field.object('Settings of the add-on.').optional(),
});
