import type { SettingsTable } from '@parlance/contracts';
import { operations } from './components/repository';

/** Fields and query parameters shared by several resources. */

export const lockFields = [
  { name: 'lock', type: 'boolean', required: true, doc: 'Whether edits are rejected.' },
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
    doc: 'Operation on the repository.',
  },
];

export const languageFields = [
  { name: 'language_code', type: 'string', required: true, doc: 'Code of the language to add.' },
] as const satisfies SettingsTable;

const STATES = [0, 10, 20, 30];

export const unitFields: SettingsTable = [
  { name: 'target', type: 'list', doc: 'Texts, one for each plural form; a single text is accepted without a list.' },
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
    doc: 'Mail address of the author; requires project.edit. Unknown addresses mean the caller.',
  },
  {
    name: 'timestamp',
    type: 'string',
    shape: 'date-time',
    doc: 'Creation time in ISO 8601; requires project.edit. Default: now.',
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
    doc: 'How strings of the file are imported.',
  },
  {
    name: 'conflicts',
    type: 'string',
    default: '',
    choices: ['', 'ignore', 'replace-translated', 'replace-approved'],
    doc: 'How strings that are already translated are handled.',
  },
  {
    name: 'fuzzy',
    type: 'string',
    default: '',
    choices: ['', 'process', 'approve'],
    doc: 'How strings that need editing in the file are handled.',
  },
  { name: 'author', type: 'string', maxLength: 200, doc: 'Name of the author; author_name is accepted, too.' },
  {
    name: 'email',
    type: 'string',
    shape: 'email',
    maxLength: 190,
    doc: 'Mail address of the author; author_email is accepted, too.',
  },
] as const satisfies SettingsTable;

export const searchFields = [
  { name: 'q', type: 'string', default: '', shape: 'query', doc: 'Search query.' },
] as const satisfies SettingsTable;

export const downloadFields = [
  { name: 'format', type: 'string', default: '', doc: 'Converter; default: the stored file.' },
  {
    name: 'q',
    type: 'string',
    default: '',
    shape: 'query',
    doc: 'Only strings that match this query; requires format.',
  },
] as const satisfies SettingsTable;

export const changeFields = [
  { name: 'user', type: 'string', doc: 'Name of the user who made the changes.' },
  { name: 'action', type: 'integers', doc: 'Numbers of actions; can be repeated.' },
  { name: 'timestamp_after', type: 'string', doc: 'ISO 8601 time, inclusive.' },
  { name: 'timestamp_before', type: 'string', doc: 'ISO 8601 time, inclusive.' },
] as const satisfies SettingsTable;
