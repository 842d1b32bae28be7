import { colors } from './choices';
import type { SettingsTable } from './types';

/** Settings of a language. */
export const languageSettings = [
  {
    name: 'code',
    type: 'string',
    required: true,
    filled: true,
    maxLength: 50,
    shape: 'language-code',
    doc: 'Unique code of letters, digits and - _ @ .',
  },
  { name: 'name', type: 'string', required: true, filled: true, maxLength: 100, doc: 'English name.' },
  { name: 'direction', type: 'string', default: '', choices: ['', 'ltr', 'rtl'], doc: 'Direction of writing.' },
  { name: 'population', type: 'integer', default: 0, min: 0, max: Number.MAX_SAFE_INTEGER, doc: 'Number of speakers.' },
  {
    name: 'plural',
    type: 'object',
    required: true,
    doc: 'Plural rule: number of forms, formula (a gettext expression on n) and source.',
  },
] as const satisfies SettingsTable;

/** Settings inside `plural` of a language. */
export const pluralSettings = [
  {
    name: 'source',
    type: 'integer',
    default: 0,
    choices: [0, 1, 2, 3, 4, 5, 6],
    doc: 'Origin of the rule: 0 default, 1 gettext header, 2 entered manually, 3 CLDR with zero, 4 CLDR, 5 Android, 6 Qt.',
  },
  { name: 'number', type: 'integer', required: true, min: 1, max: 20, doc: 'Number of plural forms.' },
  {
    name: 'formula',
    type: 'string',
    required: true,
    filled: true,
    maxLength: 1000,
    doc: 'Gettext expression on n that gives the index of the form.',
  },
] as const satisfies SettingsTable;

/** Settings of a category. */
export const categorySettings = [
  {
    name: 'name',
    type: 'string',
    required: true,
    filled: true,
    maxLength: 100,
    doc: 'Name, unique among the components and categories of its level.',
  },
  {
    name: 'slug',
    type: 'string',
    required: true,
    filled: true,
    maxLength: 100,
    shape: 'slug',
    doc: 'Part of URLs, unique among the components and categories of its level.',
  },
  {
    name: 'project',
    type: 'relation',
    required: true,
    field: 'projectId',
    doc: 'URL of the project; cannot be changed later.',
  },
  {
    name: 'category',
    type: 'relation',
    default: null,
    nullable: true,
    field: 'categoryId',
    doc: 'URL of the parent category in the same project; null: none. Categories nest at most three levels deep.',
  },
  {
    name: 'configuration',
    type: 'object',
    default: {},
    field: 'configurationJson',
    doc: 'Arbitrary data of clients; stored unchanged.',
  },
] as const satisfies SettingsTable;

/** Settings of a label. */
export const labelSettings = [
  { name: 'name', type: 'string', required: true, filled: true, maxLength: 190, doc: 'Name, unique in the project.' },
  { name: 'description', type: 'string', default: '', maxLength: 250, doc: 'Purpose of the label.' },
  { name: 'color', type: 'string', default: 'silver', choices: colors, doc: 'Colour of the label.' },
] as const satisfies SettingsTable;

/** Settings of a component list. */
export const componentListSettings = [
  { name: 'name', type: 'string', required: true, filled: true, maxLength: 100, doc: 'Name, unique on the site.' },
  {
    name: 'slug',
    type: 'string',
    required: true,
    filled: true,
    maxLength: 100,
    shape: 'slug',
    doc: 'Part of URLs, unique on the site.',
  },
  { name: 'show_dashboard', type: 'boolean', default: true, doc: 'Shows the list on the dashboard.' },
  { name: 'components', type: 'list', access: 'read-only', doc: 'URLs of its components.' },
  {
    name: 'auto_assign',
    type: 'objects',
    default: [],
    maxItems: 100,
    doc: 'Rules with two regular expressions, project_match and component_match. A new component joins the list if its slug and the slug of its project match.',
  },
] as const satisfies SettingsTable;

/** Settings of an add-on. */
export const addonSettings = [
  {
    name: 'name',
    type: 'string',
    required: true,
    filled: true,
    maxLength: 100,
    vocabulary: 'add-on',
    doc: 'Identifier of the add-on; cannot be changed later.',
  },
  {
    name: 'configuration',
    type: 'object',
    field: 'configurationJson',
    doc: 'Settings of the add-on.',
  },
] as const satisfies SettingsTable;
