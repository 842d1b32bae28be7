import type { SettingsTable } from './types';

/** What `file_format_params` of a component may hold; which key fits which format stands in the table of formats. */
export const formatParamSettings = [
  { name: 'json_sort_keys', type: 'boolean', default: false, doc: 'Keys are written in alphabetical order.' },
  { name: 'json_indent', type: 'integer', default: 4, min: 0, max: 32, doc: 'Width of the indentation.' },
  {
    name: 'json_indent_style',
    type: 'string',
    default: 'spaces',
    choices: ['spaces', 'tabs'],
    doc: 'What the indentation is made of.',
  },
  {
    name: 'json_use_compact_separators',
    type: 'boolean',
    default: false,
    doc: 'No space is written after commas and colons.',
  },
  {
    name: 'po_line_wrap',
    type: 'integer',
    default: 77,
    choices: [77, 65535, -1],
    doc: 'Where long lines are broken: 77 columns, 65535 only at line ends of the text, -1 nowhere.',
  },
  {
    name: 'po_keep_previous',
    type: 'boolean',
    default: true,
    doc: 'Previous source strings are kept when files are updated from the template.',
  },
  {
    name: 'po_no_location',
    type: 'boolean',
    default: false,
    doc: 'Locations are left out when files are updated from the template.',
  },
  {
    name: 'po_fuzzy_matching',
    type: 'boolean',
    default: true,
    doc: 'Similar strings are taken over when files are updated from the template.',
  },
  { name: 'yaml_indent', type: 'integer', default: 2, min: 1, max: 10, doc: 'Width of the indentation.' },
  {
    name: 'yaml_line_wrap',
    type: 'integer',
    default: 80,
    choices: [80, 100, 120, 180, 65535],
    doc: 'Where long lines are broken.',
  },
  { name: 'yaml_line_break', type: 'string', default: 'unix', choices: ['dos', 'unix', 'mac'], doc: 'Line ends.' },
  { name: 'xml_closing_tags', type: 'boolean', default: false, doc: 'Empty elements are written with a closing tag.' },
  {
    name: 'flatxml_root_name',
    type: 'string',
    default: 'root',
    filled: true,
    maxLength: 100,
    doc: 'Name of the outermost element.',
  },
  {
    name: 'flatxml_value_name',
    type: 'string',
    default: 'str',
    filled: true,
    maxLength: 100,
    doc: 'Name of the elements with texts.',
  },
  {
    name: 'flatxml_key_name',
    type: 'string',
    default: 'key',
    filled: true,
    maxLength: 100,
    doc: 'Name of the attribute with the key.',
  },
] as const satisfies SettingsTable;
