import { z } from 'zod';
import * as field from './field';

/** Keys of `file_format_params`. The table of formats lists the keys of each format. */
export const formatParamSettings = z.object({
  json_sort_keys: field.boolean('Sorts keys alphabetically.').default(false),
  json_indent: field.integer('Indentation width.', { min: 0, max: 32 }).default(4),
  json_indent_style: field.choice('Indentation characters.', ['spaces', 'tabs']).default('spaces'),
  json_use_compact_separators: field.boolean('Omits spaces after commas and colons.').default(false),
  po_line_wrap: field
    .integerChoice(
      'Column at which lines are wrapped: 77, 65535 (at line breaks of the string only) or -1 (never).',
      [77, 65535, -1],
    )
    .default(77),
  po_keep_previous: field
    .boolean('Keeps previous source strings when files are updated from the template.')
    .default(true),
  po_no_location: field.boolean('Omits source locations when files are updated from the template.').default(false),
  po_fuzzy_matching: field
    .boolean('Uses translations of similar strings when files are updated from the template.')
    .default(true),
  yaml_indent: field.integer('Indentation width.', { min: 1, max: 10 }).default(2),
  yaml_line_wrap: field
    .integerChoice('Column at which lines are wrapped; 65535: no wrapping.', [80, 100, 120, 180, 65535])
    .default(80),
  yaml_line_break: field.choice('Line ends.', ['dos', 'unix', 'mac']).default('unix'),
  xml_closing_tags: field.boolean('Writes empty elements with a closing tag.').default(false),
  flatxml_root_name: field.line('Name of the root element.', { filled: true, maxLength: 100 }).default('root'),
  flatxml_value_name: field
    .line('Name of the elements that hold strings.', { filled: true, maxLength: 100 })
    .default('str'),
  flatxml_key_name: field
    .line('Name of the attribute that holds the key.', { filled: true, maxLength: 100 })
    .default('key'),
});
