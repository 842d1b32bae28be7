import { everywhere, PO, simple, type AddonDefinition } from './definition';

/** Add-ons for gettext files. */
export const gettextAddons: readonly AddonDefinition[] = [
  simple(
    'weblate.gettext.authors',
    'Contributors in file headers',
    'Writes contributors into the comments of gettext files.',
    ['commit'],
    { formats: ['po'] },
  ),
  simple(
    'weblate.gettext.configure',
    'Languages in configure',
    'Keeps ALL_LINGUAS in the configure file up to date.',
    ['install', 'update', 'language', 'daily'],
    {
      formats: ['po'],
      files: ['configure', 'configure.in', 'configure.ac'],
    },
  ),
  simple(
    'weblate.gettext.linguas',
    'Languages in LINGUAS',
    'Keeps the LINGUAS file up to date.',
    ['install', 'update', 'language', 'daily'],
    {
      formats: ['po'],
      files: ['{folder}/LINGUAS', 'LINGUAS', 'po/LINGUAS'],
    },
  ),
  {
    name: 'weblate.gettext.msgmerge',
    title: 'Update from the template',
    doc: 'Brings gettext files up to date with their template after updates.',
    events: ['install', 'update'],
    multiple: false,
    scopes: everywhere,
    fits: { formats: ['po'], newBase: true },
    settings: [
      // What is not given is as the component's format parameters say.
      { name: 'previous', type: 'boolean', doc: 'Previous source strings are kept.' },
      { name: 'no_location', type: 'boolean', doc: 'Locations are left out.' },
      { name: 'fuzzy', type: 'boolean', doc: 'Similar strings are taken over.' },
    ],
  },
  {
    name: 'weblate.gettext.mo',
    title: 'Compiled gettext files',
    doc: 'Writes a MO file beside each changed PO file.',
    events: ['commit'],
    multiple: false,
    scopes: everywhere,
    fits: { formats: PO },
    settings: [
      {
        name: 'path',
        type: 'string',
        default: '{{ filename|stripext }}.mo',
        maxLength: 400,
        shape: 'path-template',
        doc: 'Path of the MO file.',
      },
      { name: 'fuzzy', type: 'boolean', default: false, doc: 'Strings that need editing are included.' },
    ],
  },
  {
    name: 'weblate.gettext.customize',
    title: 'Form of gettext files',
    doc: 'How gettext files are written.',
    events: ['commit'],
    multiple: false,
    scopes: everywhere,
    fits: { formats: PO },
    settings: [
      { name: 'width', type: 'integer', required: true, choices: [77, 65535, -1], doc: 'Where long lines are broken.' },
    ],
  },
];
