import type { SettingsTable } from './types';

/** Settings of a project. */
export const projectSettings = [
  { name: 'name', type: 'string', required: true, filled: true, maxLength: 60, doc: 'Name, unique on the site.' },
  { name: 'slug', type: 'string', required: true, filled: true, maxLength: 60, shape: 'slug', doc: 'Part of addresses, unique on the site; a single dash is not allowed.' },
  { name: 'web', type: 'string', required: true, filled: true, maxLength: 200, shape: 'http-url', doc: 'Website of the project.' },
  { name: 'check_flags', type: 'text', default: '', maxLength: 10_000, shape: 'flags', doc: 'Flags that apply to all strings of the project.' },
  { name: 'translation_review', type: 'boolean', default: false, doc: 'Translations are reviewed: state 30 can be used.' },
  { name: 'source_review', type: 'boolean', default: false, doc: 'Source strings are reviewed before they can be translated.' },
  { name: 'commit_policy', type: 'integer', default: 0, choices: [0, 20, 30], doc: 'Which strings are committed: 0 all, 20 without those that need editing, 30 approved ones only.' },
  { name: 'set_language_team', type: 'boolean', default: true, doc: 'Files with a translation-team header get it set.' },
  { name: 'enable_hooks', type: 'boolean', default: true, doc: 'Inbound hooks may update the components of the project.' },
  { name: 'instructions', type: 'text', default: '', maxLength: 20_000, doc: 'Instructions for translators.' },
  { name: 'language_aliases', type: 'text', default: '', maxLength: 2_000, doc: 'Other meanings of language codes in file names, as from:to,from:to.' },
  { name: 'secondary_language', type: 'id', default: null, nullable: true, doc: 'Id of a language that is shown beside the source language; null: none.' },
  { name: 'enforced_2fa', type: 'boolean', default: false, field: 'enforced_2fa', doc: 'Members need a second factor to work on the project.' },
  { name: 'access_control', type: 'integer', default: 0, choices: [0, 1, 100, 200], doc: 'Who may see the project: 0 everybody, 1 everybody (changed by its teams only), 100 its teams, 200 teams that are set up by hand.' },
  { name: 'use_shared_tm', type: 'boolean', default: true, doc: 'Suggestions are taken from the memory that projects share.' },
  { name: 'contribute_shared_tm', type: 'boolean', default: true, doc: 'Translations go into the memory that projects share.' },
  { name: 'hook_secret', type: 'string', default: '', maxLength: 200, access: 'write-only', doc: 'Secret that inbound hooks must prove to know by the provider’s signature or token; empty: none is asked for.' },
] as const satisfies SettingsTable;
