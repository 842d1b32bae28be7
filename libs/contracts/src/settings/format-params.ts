import type { SettingsTable } from './types';

/** Keys of `file_format_params`. The table of formats lists the keys of each format. */
export const formatParamSettings = [
  { name: 'json_sort_keys', type: 'boolean', default: false, doc: 'Sorts keys alphabetically.' },
  { name: 'json_indent', type: 'integer', default: 4, min: 0, max: 32, doc: 'Indentation width.' },
  {
    name: 'json_indent_style',
    type: 'string',
    default: 'spaces',
    choices: ['spaces', 'tabs'],
    doc: 'Indentation characters.',
  },
  {
    name: 'json_use_compact_separators',
    type: 'boolean',
    default: false,
    doc: 'Omits spaces after commas and colons.',
  },
  {
    name: 'po_line_wrap',
    type: 'integer',
    default: 77,
    choices: [77, 65535, -1],
    doc: 'Column at which lines are wrapped: 77, 65535 (at line breaks of the string only) or -1 (never).',
  },
  {
    name: 'po_keep_previous',
    type: 'boolean',
    default: true,
    doc: 'Keeps previous source strings when files are updated from the template.',
  },
  {
    name: 'po_no_location',
    type: 'boolean',
    default: false,
    doc: 'Omits source locations when files are updated from the template.',
  },
  {
    name: 'po_fuzzy_matching',
    type: 'boolean',
    default: true,
    doc: 'Uses translations of similar strings when files are updated from the template.',
  },
  { name: 'yaml_indent', type: 'integer', default: 2, min: 1, max: 10, doc: 'Indentation width.' },
  {
    name: 'yaml_line_wrap',
    type: 'integer',
    default: 80,
    choices: [80, 100, 120, 180, 65535],
    doc: 'Column at which lines are wrapped; 65535: no wrapping.',
  },
  { name: 'yaml_line_break', type: 'string', default: 'unix', choices: ['dos', 'unix', 'mac'], doc: 'Line ends.' },
  { name: 'xml_closing_tags', type: 'boolean', default: false, doc: 'Writes empty elements with a closing tag.' },
  {
    name: 'flatxml_root_name',
    type: 'string',
    default: 'root',
    filled: true,
    maxLength: 100,
    doc: 'Name of the root element.',
  },
  {
    name: 'flatxml_value_name',
    type: 'string',
    default: 'str',
    filled: true,
    maxLength: 100,
    doc: 'Name of the elements that hold strings.',
  },
  {
    name: 'flatxml_key_name',
    type: 'string',
    default: 'key',
    filled: true,
    maxLength: 100,
    doc: 'Name of the attribute that holds the key.',
  },
] as const satisfies SettingsTable;
