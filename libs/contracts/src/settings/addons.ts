import type { SettingsTable } from './types';

/** Where an add-on can be installed. */
export type AddonScope = 'component' | 'project' | 'site';

/** One add-on that can be installed. */
export interface AddonDefinition {
  /** Identifier that clients send. */
  readonly name: string;
  readonly title: string;
  /** One sentence for the documentation. */
  readonly doc: string;
  /** May be installed several times in one place. */
  readonly multiple: boolean;
  readonly scopes: readonly AddonScope[];
  /** Acts on the whole repository, so components that share one cannot have their own. */
  readonly repositoryWide?: boolean;
  /** Which components it fits; what is absent does not matter. */
  readonly fits: {
    readonly formats?: readonly string[];
    /** Only components with a template, or in one of these formats. */
    readonly monolingualOr?: readonly string[];
    readonly versionControls?: readonly string[];
    /** The component has a repository of its own. */
    readonly ownRepository?: boolean;
    /** The base file can be edited. */
    readonly editTemplate?: boolean;
    /** One of these files is in the repository; `{folder}` is the folder of the translation files. */
    readonly files?: readonly string[];
  };
  readonly settings: SettingsTable;
}

const everywhere = ['component', 'project', 'site'] as const;
const QUERY = { type: 'string', maxLength: 4_000, shape: 'query' } as const;
const url = (name: string, doc: string) =>
  ({ name, type: 'string', required: true, filled: true, maxLength: 500, shape: 'http-url', doc }) as const;
const hookEvents = {
  name: 'events',
  type: 'integers',
  default: [],
  maxItems: 100,
  doc: 'Numbers of the actions that are sent; none: all of them.',
} as const;
const PO = ['po', 'po-mono'];
const JAVA = ['properties', 'properties-utf8', 'properties-utf16', 'gwt', 'gwt-iso', 'xwiki-java-properties'];
const JSON_LIKE = [
  'json',
  'json-nested',
  'webextension',
  'i18next',
  'i18nextv4',
  'go-i18n-json',
  'go-i18n-json-v2',
  'gotext',
  'arb',
  'formatjs',
];

function simple(name: string, title: string, doc: string, fits: AddonDefinition['fits'] = {}): AddonDefinition {
  return { name, title, doc, multiple: false, scopes: everywhere, fits, settings: [] };
}

/** The add-ons, by the identifiers that clients know. */
// prettier-ignore
export const addonDefinitions: readonly AddonDefinition[] = [
  {
    name: 'weblate.autotranslate.autotranslate',
    title: 'Automatic translation',
    doc: 'Translates strings daily, after updates and after changes.',
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: [
      {
        name: 'mode',
        type: 'string',
        required: true,
        choices: ['suggest', 'translate', 'fuzzy', 'approved'],
        doc: 'What becomes of the found texts.',
      },
      { name: 'q', required: true, ...QUERY, doc: 'Which strings are translated.' },
      {
        name: 'auto_source',
        type: 'string',
        required: true,
        choices: ['others', 'mt'],
        doc: 'Other components, or machine translation.',
      },
      {
        name: 'component',
        type: 'string',
        default: '',
        maxLength: 500,
        doc: 'The component to take texts from; empty: all of the project.',
      },
      { name: 'engines', type: 'list', default: [], maxItems: 50, doc: 'Machine translation engines.' },
      { name: 'threshold', type: 'integer', required: true, min: 1, max: 100, doc: 'Lowest quality that is taken.' },
    ],
  },
  {
    name: 'weblate.cdn.cdnjs',
    title: 'Translations for web pages',
    doc: 'Publishes translations for use in web pages.',
    multiple: false,
    scopes: everywhere,
    fits: { monolingualOr: [] },
    settings: [
      {
        name: 'threshold',
        type: 'integer',
        required: true,
        min: 0,
        max: 100,
        doc: 'Percentage of translated strings from which a language is published.',
      },
      {
        name: 'css_selector',
        type: 'string',
        required: true,
        filled: true,
        maxLength: 500,
        doc: 'Elements whose text is translated.',
      },
      { name: 'cookie_name', type: 'string', default: '', maxLength: 100, doc: 'Cookie that holds the language.' },
      {
        name: 'files',
        type: 'text',
        default: '',
        maxLength: 10_000,
        doc: 'Pages that strings are taken from, one a line.',
      },
    ],
  },
  simple(
    'weblate.cleanup.blank',
    'Remove blank strings',
    'Removes strings without a translation from translation files.',
  ),
  simple(
    'weblate.cleanup.generic',
    'Clean up translation files',
    'Removes strings from translation files that are not in the base file.',
    { monolingualOr: ['po'] },
  ),
  simple(
    'weblate.consistency.languages',
    'Add missing languages',
    'Gives all components of a project the same languages.',
  ),
  {
    name: 'weblate.discovery.discovery',
    title: 'Component discovery',
    doc: 'Makes components from files in the repository.',
    multiple: true,
    scopes: ['component'],
    repositoryWide: true,
    fits: { ownRepository: true },
    settings: [
      {
        name: 'match',
        type: 'string',
        required: true,
        filled: true,
        maxLength: 1_000,
        shape: 'regex',
        doc: 'Expression for paths with the named groups component and language.',
      },
      {
        name: 'file_format',
        type: 'string',
        required: true,
        filled: true,
        maxLength: 50,
        vocabulary: 'file-format',
        doc: 'Format of the files.',
      },
      {
        name: 'name_template',
        type: 'string',
        required: true,
        filled: true,
        maxLength: 200,
        shape: 'path-template',
        doc: 'Name of a component, with {{ component }}.',
      },
      {
        name: 'base_file_template',
        type: 'string',
        default: '',
        maxLength: 400,
        shape: 'path-template',
        doc: 'Monolingual base file.',
      },
      {
        name: 'new_base_template',
        type: 'string',
        default: '',
        maxLength: 400,
        shape: 'path-template',
        doc: 'File that new translations are made from.',
      },
      {
        name: 'intermediate_template',
        type: 'string',
        default: '',
        maxLength: 400,
        shape: 'path-template',
        doc: 'Intermediate file.',
      },
      {
        name: 'language_regex',
        type: 'string',
        required: true,
        filled: true,
        maxLength: 500,
        shape: 'regex',
        doc: 'Language codes that are taken.',
      },
      { name: 'copy_addons', type: 'boolean', default: true, doc: 'New components get the add-ons of this one.' },
      { name: 'remove', type: 'boolean', default: false, doc: 'Components without files are removed.' },
      { name: 'confirm', type: 'boolean', default: false, doc: 'The matches were looked at.' },
    ],
  },
  {
    name: 'weblate.flags.bulk',
    title: 'Bulk edit',
    doc: 'Changes state, flags and labels of strings after updates.',
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: [
      { name: 'q', required: true, ...QUERY, doc: 'Which strings are changed.' },
      { name: 'state', type: 'integer', required: true, choices: [-1, 10, 20, 30], doc: 'New state; -1 leaves it.' },
      { name: 'path', type: 'string', default: '', maxLength: 500, doc: 'Only below this path.' },
      { name: 'add_flags', type: 'text', default: '', maxLength: 10_000, shape: 'flags', doc: 'Flags to add.' },
      {
        name: 'remove_flags',
        type: 'text',
        default: '',
        maxLength: 10_000,
        shape: 'flags',
        doc: 'Flags to take away.',
      },
      { name: 'add_labels', type: 'list', default: [], maxItems: 100, doc: 'Labels to add.' },
      { name: 'remove_labels', type: 'list', default: [], maxItems: 100, doc: 'Labels to take away.' },
    ],
  },
  simple(
    'weblate.flags.same_edit',
    'Mark unchanged translations',
    'Imported translations that equal their source need editing.',
  ),
  simple(
    'weblate.flags.source_edit',
    'Mark new source strings',
    'New source strings from the repository need editing.',
    { editTemplate: true },
  ),
  simple('weblate.flags.target_edit', 'Mark new translations', 'New translations from the repository need editing.'),
  simple(
    'weblate.flags.target_repo_update',
    'Mark changed translations',
    'Translations that change in the repository need editing.',
  ),
  {
    name: 'weblate.generate.generate',
    title: 'Statistics file',
    doc: 'Writes a file made from a template with every commit.',
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: [
      {
        name: 'filename',
        type: 'string',
        required: true,
        filled: true,
        maxLength: 400,
        shape: 'path-template',
        doc: 'Path of the file, with variables.',
      },
      {
        name: 'template',
        type: 'text',
        required: true,
        filled: true,
        maxLength: 100_000,
        shape: 'message',
        doc: 'Content of the file, with variables.',
      },
    ],
  },
  simple(
    'weblate.generate.fill_read_only',
    'Fill read-only strings',
    'Read-only strings get the source text as translation.',
  ),
  simple(
    'weblate.generate.prefill',
    'Prefill translations',
    'New strings get the source text as translation that needs editing.',
  ),
  {
    name: 'weblate.generate.pseudolocale',
    title: 'Pseudolocale',
    doc: 'Makes a translation for testing from another one.',
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: [
      { name: 'source', type: 'integer', required: true, min: 1, doc: 'Id of the translation to take texts from.' },
      { name: 'target', type: 'integer', required: true, min: 1, doc: 'Id of the translation that is made.' },
      { name: 'prefix', type: 'string', default: '', maxLength: 100, doc: 'Text put in front.' },
      { name: 'var_prefix', type: 'string', default: '', maxLength: 100, doc: 'Text put in front, several times.' },
      { name: 'suffix', type: 'string', default: '', maxLength: 100, doc: 'Text added at the end.' },
      { name: 'var_suffix', type: 'string', default: '', maxLength: 100, doc: 'Text added at the end, several times.' },
      {
        name: 'var_multiplier',
        type: 'number',
        default: 0.1,
        min: 0,
        max: 10,
        doc: 'How often, for each character of the text.',
      },
      { name: 'include_readonly', type: 'boolean', default: false, doc: 'Read-only strings too.' },
    ],
  },
  simple(
    'weblate.gettext.authors',
    'Contributors in file headers',
    'Writes contributors into the comments of gettext files.',
    { formats: ['po'] },
  ),
  simple('weblate.gettext.configure', 'Languages in configure', 'Keeps ALL_LINGUAS in the configure file up to date.', {
    formats: ['po'],
    files: ['configure', 'configure.in', 'configure.ac'],
  }),
  simple('weblate.gettext.linguas', 'Languages in LINGUAS', 'Keeps the LINGUAS file up to date.', {
    formats: ['po'],
    files: ['{folder}/LINGUAS', 'LINGUAS', 'po/LINGUAS'],
  }),
  {
    name: 'weblate.gettext.msgmerge',
    title: 'Update from the template',
    doc: 'Brings gettext files up to date with their template after updates.',
    multiple: false,
    scopes: everywhere,
    fits: { formats: ['po'] },
    settings: [
      { name: 'previous', type: 'boolean', default: true, doc: 'Previous source strings are kept.' },
      { name: 'no_location', type: 'boolean', default: false, doc: 'Locations are left out.' },
      { name: 'fuzzy', type: 'boolean', default: true, doc: 'Similar strings are taken over.' },
    ],
  },
  {
    name: 'weblate.gettext.mo',
    title: 'Compiled gettext files',
    doc: 'Writes a MO file beside each changed PO file.',
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
    name: 'weblate.git.squash',
    title: 'Squash commits',
    doc: 'Joins commits before they are pushed.',
    multiple: false,
    scopes: everywhere,
    repositoryWide: true,
    fits: { versionControls: ['git', 'git-force-push', 'local'], ownRepository: true },
    settings: [
      {
        name: 'squash',
        type: 'string',
        required: true,
        choices: ['all', 'language', 'file', 'author'],
        doc: 'Which commits become one.',
      },
      { name: 'append_trailers', type: 'boolean', default: true, doc: 'Trailers of the commits are kept.' },
      {
        name: 'commit_message',
        type: 'text',
        default: '',
        maxLength: 5_000,
        doc: 'Message in place of those of the commits.',
      },
    ],
  },
  {
    name: 'weblate.properties.sort',
    title: 'Sort properties',
    doc: 'Keeps the keys of Java properties files in order.',
    multiple: false,
    scopes: everywhere,
    fits: { formats: JAVA },
    settings: [
      { name: 'case_sensitive', type: 'boolean', default: false, doc: 'Capital letters go before small ones.' },
    ],
  },
  {
    name: 'weblate.removal.comments',
    title: 'Remove old comments',
    doc: 'Removes comments of some age daily.',
    multiple: false,
    scopes: everywhere,
    fits: {},
    settings: [{ name: 'age', type: 'integer', required: true, min: 1, max: 36_500, doc: 'Days.' }],
  },
  {
    name: 'weblate.removal.suggestions',
    title: 'Remove old suggestions',
    doc: 'Removes suggestions of some age daily.',
    multiple: false,
    scopes: everywhere,
    fits: {},
    settings: [
      { name: 'age', type: 'integer', required: true, min: 1, max: 36_500, doc: 'Days.' },
      {
        name: 'votes',
        type: 'integer',
        required: true,
        min: -10_000,
        max: 10_000,
        doc: 'Only suggestions with at most so many votes.',
      },
    ],
  },
  simple(
    'weblate.resx.update',
    'Update RESX files',
    'Brings RESX files up to date with their base file after updates.',
    { formats: ['resx'] },
  ),
  {
    name: 'weblate.webhook.webhook',
    title: 'Webhook',
    doc: 'Sends changes to an address as JSON, with the headers of Standard Webhooks.',
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: [
      url('webhook_url', 'Where changes are sent.'),
      hookEvents,
      {
        name: 'secret',
        type: 'string',
        default: '',
        maxLength: 200,
        access: 'write-only',
        doc: 'Secret that the signature is made with.',
      },
    ],
  },
  {
    name: 'weblate.webhook.slack',
    title: 'Slack',
    doc: 'Sends changes to a Slack channel.',
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: [url('webhook_url', 'Where changes are sent.'), hookEvents],
  },
  {
    name: 'weblate.json.customize',
    title: 'Form of JSON files',
    doc: 'How JSON files are written.',
    multiple: false,
    scopes: everywhere,
    fits: { formats: JSON_LIKE },
    settings: [
      { name: 'sort_keys', type: 'boolean', default: false, doc: 'Keys are written in alphabetical order.' },
      { name: 'indent', type: 'integer', default: 4, min: 0, max: 32, doc: 'Width of the indentation.' },
      {
        name: 'style',
        type: 'string',
        default: 'spaces',
        choices: ['spaces', 'tabs'],
        doc: 'What the indentation is made of.',
      },
    ],
  },
  {
    name: 'weblate.yaml.customize',
    title: 'Form of YAML files',
    doc: 'How YAML files are written.',
    multiple: false,
    scopes: everywhere,
    fits: { formats: ['yaml', 'ruby-yaml'] },
    settings: [
      { name: 'indent', type: 'integer', default: 2, min: 1, max: 10, doc: 'Width of the indentation.' },
      {
        name: 'width',
        type: 'integer',
        default: 80,
        choices: [80, 100, 120, 180, 65535],
        doc: 'Where long lines are broken.',
      },
      { name: 'line_break', type: 'string', default: 'unix', choices: ['dos', 'unix', 'mac'], doc: 'Line ends.' },
    ],
  },
  {
    name: 'weblate.xml.customize',
    title: 'Form of XML files',
    doc: 'How XML files are written.',
    multiple: false,
    scopes: everywhere,
    fits: { formats: ['ts', 'plainxliff', 'xliff', 'poxliff', 'resx', 'aresource', 'moko-resource', 'cmp-resource'] },
    settings: [
      { name: 'closing_tags', type: 'boolean', default: false, doc: 'Empty elements are written with a closing tag.' },
    ],
  },
  {
    name: 'weblate.gettext.customize',
    title: 'Form of gettext files',
    doc: 'How gettext files are written.',
    multiple: false,
    scopes: everywhere,
    fits: { formats: PO },
    settings: [
      { name: 'width', type: 'integer', required: true, choices: [77, 65535, -1], doc: 'Where long lines are broken.' },
    ],
  },
];

const byName = new Map(addonDefinitions.map((d) => [d.name, d]));

/** The add-on of this name, or undefined. */
export function addonDefinition(name: string): AddonDefinition | undefined {
  return byName.get(name);
}
