import { z } from 'zod';
import { everywhere, PO, simple, type AddonDefinition } from './definition';
import * as field from '../field';

/** Add-ons for gettext files. */
export const gettextAddons: readonly AddonDefinition[] = [
  simple(
    'weblate.gettext.authors',
    'Contributors in file headers',
    'Adds contributors to the header comment of gettext files.',
    ['commit'],
    { formats: ['po'] },
  ),
  simple(
    'weblate.gettext.configure',
    'Languages in configure',
    'Updates ALL_LINGUAS in the configure file.',
    ['install', 'update', 'language', 'daily'],
    {
      formats: ['po'],
      files: ['configure', 'configure.in', 'configure.ac'],
    },
  ),
  simple(
    'weblate.gettext.linguas',
    'Languages in LINGUAS',
    'Updates the LINGUAS file.',
    ['install', 'update', 'language', 'daily'],
    {
      formats: ['po'],
      files: ['{folder}/LINGUAS', 'LINGUAS', 'po/LINGUAS'],
    },
  ),
  {
    name: 'weblate.gettext.msgmerge',
    title: 'Update from the template',
    doc: 'Merges the template into gettext files after repository updates.',
    events: ['install', 'update'],
    multiple: false,
    scopes: everywhere,
    fits: { formats: ['po'], newBase: true },
    settings: z.object({
      // Absent settings default to the component's format parameters.
      previous: field.boolean('Keeps previous source strings.').optional(),
      no_location: field.boolean('Omits source locations.').optional(),
      fuzzy: field.boolean('Uses translations of similar strings (fuzzy matching).').optional(),
    }),
  },
  {
    name: 'weblate.gettext.mo',
    title: 'Compiled gettext files',
    doc: 'Compiles a MO file for each changed PO file.',
    events: ['commit'],
    multiple: false,
    scopes: everywhere,
    fits: { formats: PO },
    settings: z.object({
      path: field
        .line('Path of the MO file; a template.', { maxLength: 400, shape: 'path-template' })
        .default('{{ filename|stripext }}.mo'),
      fuzzy: field.boolean('Includes strings that need editing.').default(false),
    }),
  },
  {
    name: 'weblate.gettext.customize',
    title: 'Layout of gettext files',
    doc: 'Sets the line wrapping of gettext files.',
    events: ['commit'],
    multiple: false,
    scopes: everywhere,
    fits: { formats: PO },
    settings: z.object({
      width: field.integerChoice(
        'Column at which lines are wrapped: 77, 65535 (at line breaks only) or -1 (never).',
        [77, 65535, -1],
      ),
    }),
  },
];
