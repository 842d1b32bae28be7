import type { SettingsTable } from '@parlance/contracts';
import { operations } from './components/repository';

/** Fields and query parameters of the rows that several resources have in common, for the description of the API. */

export const lockFields = [
  { name: 'lock', type: 'boolean', required: true, doc: 'Whether edits are refused.' },
] as const satisfies SettingsTable;

export const agreementFields = [
  { name: 'agreed', type: 'boolean', required: true, doc: 'true: the caller accepts the agreement.' },
] as const satisfies SettingsTable;

export const operationFields: SettingsTable = [
  {
    name: 'operation',
    type: 'string',
    required: true,
    choices: Object.keys(operations),
    doc: 'What is done with the repository.',
  },
];

export const languageFields = [
  { name: 'language_code', type: 'string', required: true, doc: 'Code of the language to add.' },
] as const satisfies SettingsTable;

const STATES = [0, 10, 20, 30];

export const unitFields: SettingsTable = [
  { name: 'target', type: 'list', doc: 'Texts, one a plural form; a single text may come without a list.' },
  {
    name: 'state',
    type: 'integer',
    choices: STATES,
    doc: '0 untranslated, 10 needs editing, 20 translated, 30 approved.',
  },
  { name: 'explanation', type: 'text', maxLength: 10_000, doc: 'Explanation for translators; source strings only.' },
  { name: 'extra_flags', type: 'string', maxLength: 10_000, doc: 'Flags; source strings only.' },
  { name: 'labels', type: 'integers', doc: 'Ids of labels; source strings only.' },
];

export const commentFields: SettingsTable = [
  { name: 'comment', type: 'text', required: true, filled: true, maxLength: 1000, doc: 'The remark.' },
  {
    name: 'scope',
    type: 'string',
    required: true,
    choices: ['translation', 'global', 'report'],
    doc: 'translation: on this string; global or report: on its source string.',
  },
  {
    name: 'user_email',
    type: 'string',
    shape: 'email',
    access: 'write-only',
    doc: 'Whose comment it is; needs project.edit. An address that nobody has means the caller.',
  },
  {
    name: 'timestamp',
    type: 'string',
    shape: 'date-time',
    doc: 'When it was made, an ISO 8601 time; needs project.edit. Default: now.',
  },
];

export const newUnitFields: SettingsTable = [
  { name: 'key', type: 'text', nullable: true, maxLength: 10_000, doc: 'Key, in a monolingual component.' },
  { name: 'value', type: 'list', doc: 'Texts, in a monolingual component.' },
  { name: 'context', type: 'text', maxLength: 10_000, doc: 'Context, in a bilingual component.' },
  { name: 'source', type: 'list', doc: 'Source texts, in a bilingual component.' },
  { name: 'target', type: 'list', doc: 'Translated texts, in a bilingual component.' },
  {
    name: 'state',
    type: 'integer',
    choices: STATES,
    doc: '0 untranslated, 10 needs editing, 20 translated, 30 approved.',
  },
];

export const uploadFields = [
  {
    name: 'method',
    type: 'string',
    default: 'translate',
    choices: ['translate', 'approve', 'suggest', 'fuzzy', 'replace', 'source', 'add'],
    doc: 'What is done with the strings of the file.',
  },
  {
    name: 'conflicts',
    type: 'string',
    default: '',
    choices: ['', 'ignore', 'replace-translated', 'replace-approved'],
    doc: 'What happens to strings that are translated already.',
  },
  {
    name: 'fuzzy',
    type: 'string',
    default: '',
    choices: ['', 'process', 'approve'],
    doc: 'What happens to strings that need editing in the file.',
  },
  { name: 'author', type: 'string', maxLength: 200, doc: 'Name of the author; author_name is understood too.' },
  {
    name: 'email',
    type: 'string',
    shape: 'email',
    maxLength: 190,
    doc: 'Mail address of the author; author_email is understood too.',
  },
] as const satisfies SettingsTable;

export const searchFields = [
  { name: 'q', type: 'string', default: '', shape: 'query', doc: 'Search query.' },
] as const satisfies SettingsTable;

export const downloadFields = [
  { name: 'format', type: 'string', default: '', doc: 'Converter; absent: the file as stored.' },
  {
    name: 'q',
    type: 'string',
    default: '',
    shape: 'query',
    doc: 'Only strings that this query finds; with format only.',
  },
] as const satisfies SettingsTable;

export const changeFields = [
  { name: 'user', type: 'string', doc: 'Name of the user who made them.' },
  { name: 'action', type: 'integers', doc: 'Numbers of actions; may be repeated.' },
  { name: 'timestamp_after', type: 'string', doc: 'ISO 8601 time, inclusive.' },
  { name: 'timestamp_before', type: 'string', doc: 'ISO 8601 time, inclusive.' },
] as const satisfies SettingsTable;
