import type { FormatParamName } from './format';

/** `mono`: a template holds the source texts; `bi`: each file holds both; `both`: monolingual if there is a template. */
export type FormatKind = 'mono' | 'bi' | 'both';

/** How a language code is written in file names: the names of the component setting `language_code_style`. */
export type LanguageCodeStyle = 'posix' | 'bcp' | 'bcp_legacy' | 'linux' | 'android' | 'googleplay';

/** A row of the table of formats. API responses, settings and documentation are derived from it. */
export interface FormatInfo {
  /** The value of `file_format`. */
  readonly id: string;
  readonly label: string;
  readonly kind: FormatKind;
  /** File name patterns with `*`. Detection tries patterns with a name before mere extensions, in the order of the table. */
  readonly autoDetect: readonly string[];
  /** Extension of new files, without the dot. */
  readonly extension: string;
  /** Media type of a download of the stored file. */
  readonly mediaType: string;
  readonly languageCodeStyle: LanguageCodeStyle;
  readonly can: {
    readonly addUnit: boolean;
    readonly removeUnit: boolean;
    /** Whether the monolingual base file can be edited. */
    readonly editBase: boolean;
    readonly plurals: boolean;
  };
  /** A new language's file starts from the built-in empty file, or requires `new_base` or the template. */
  readonly newFile: 'built-in' | 'base';
  /** Keys of `file_format_params` that the format supports. */
  readonly params: readonly FormatParamName[];
}

const JSON_PARAMS: readonly FormatParamName[] = [
  'json_sort_keys',
  'json_indent',
  'json_indent_style',
  'json_use_compact_separators',
];
const PO_MONO_PARAMS: readonly FormatParamName[] = ['po_line_wrap'];
const PO_PARAMS: readonly FormatParamName[] = [
  ...PO_MONO_PARAMS,
  ...(['po_keep_previous', 'po_no_location', 'po_fuzzy_matching'] as const),
];
const YAML_PARAMS: readonly FormatParamName[] = ['yaml_indent', 'yaml_line_wrap', 'yaml_line_break'];
const XML_PARAMS: readonly FormatParamName[] = ['xml_closing_tags'];
const FLATXML_PARAMS: readonly FormatParamName[] = ['flatxml_root_name', 'flatxml_value_name', 'flatxml_key_name'];

/** `can` is the four letters add, remove, edit base, plurals: Y or N each. */
function row<I extends string>(
  id: I,
  label: string,
  kind: FormatKind,
  autoDetect: readonly string[],
  extension: string,
  mediaType: string,
  languageCodeStyle: LanguageCodeStyle,
  can: string,
  newFile: FormatInfo['newFile'],
  params: readonly FormatParamName[],
): FormatInfo & { readonly id: I } {
  const [addUnit, removeUnit, editBase, plurals] = [...can].map((letter) => letter === 'Y') as [
    boolean,
    boolean,
    boolean,
    boolean,
  ];
  const abilities = { addUnit, removeUnit, editBase, plurals };
  return { id, label, kind, autoDetect, extension, mediaType, languageCodeStyle, can: abilities, newFile, params };
}

// Aligned columns are easier to read.
// prettier-ignore
const rows = [
  row('po', 'gettext PO', 'bi', ['*.po', '*.pot'], 'po', 'text/x-gettext-catalog', 'posix', 'YYYY', 'base', PO_PARAMS),
  row('po-mono', 'gettext PO (monolingual)', 'mono', [], 'po', 'text/x-gettext-catalog', 'posix', 'YYYY', 'built-in', PO_MONO_PARAMS),
  row('ts', 'Qt Linguist', 'both', ['*.ts'], 'ts', 'application/x-linguist', 'posix', 'YYYY', 'base', XML_PARAMS),
  row('plainxliff', 'XLIFF 1.2', 'both', ['*.xlf', '*.xliff'], 'xlf', 'application/x-xliff', 'bcp', 'YYYN', 'built-in', XML_PARAMS),
  row('xliff', 'XLIFF 1.2 with inline markup', 'both', ['*.sdlxliff', '*.mxliff'], 'xlf', 'application/x-xliff', 'bcp', 'YYYN', 'built-in', XML_PARAMS),
  row('poxliff', 'XLIFF 1.2 with gettext extensions', 'both', ['*.poxliff'], 'xlf', 'application/x-xliff', 'bcp', 'YYYY', 'built-in', XML_PARAMS),
  row('xliff2', 'XLIFF 2', 'both', [], 'xlf', 'application/xliff+xml', 'bcp', 'YYYN', 'built-in', XML_PARAMS),
  row('strings', 'Apple strings (UTF-16)', 'both', ['*.strings'], 'strings', 'text/plain', 'bcp', 'YYYN', 'built-in', []),
  row('strings-utf8', 'Apple strings (UTF-8)', 'both', ['*.strings'], 'strings', 'text/plain', 'bcp', 'YYYN', 'built-in', []),
  row('properties-utf8', 'Java properties (UTF-8)', 'both', [], 'properties', 'text/plain', 'linux', 'YYYN', 'built-in', []),
  row('properties-utf16', 'Java properties (UTF-16)', 'both', [], 'properties', 'text/plain', 'linux', 'YYYN', 'built-in', []),
  row('properties', 'Java properties (ISO-8859-1)', 'both', ['*.properties'], 'properties', 'text/plain', 'linux', 'YYYN', 'built-in', []),
  row('joomla', 'Joomla INI', 'mono', ['*.ini'], 'ini', 'text/plain', 'posix', 'YYYN', 'built-in', []),
  row('gwt', 'GWT properties (UTF-8)', 'both', ['*.strings'], 'properties', 'text/plain', 'linux', 'YYYY', 'built-in', []),
  row('gwt-iso', 'GWT properties (ISO-8859-1)', 'both', ['*.strings'], 'properties', 'text/plain', 'linux', 'YYYY', 'built-in', []),
  row('php', 'PHP strings', 'both', ['*.php'], 'php', 'text/x-php', 'posix', 'YYYN', 'built-in', []),
  row('laravel', 'Laravel PHP strings', 'both', ['*.php'], 'php', 'text/x-php', 'posix', 'YYYY', 'built-in', []),
  row('resx', '.NET resources (RESX)', 'mono', ['*.resx'], 'resx', 'text/microsoft-resx', 'bcp', 'YYYY', 'built-in', XML_PARAMS),
  row('aresource', 'Android string resources', 'mono', ['strings*.xml', 'values*.xml'], 'xml', 'application/xml', 'android', 'YYYY', 'built-in', XML_PARAMS),
  row('moko-resource', 'Moko string resources', 'mono', ['strings*.xml', 'values*.xml'], 'xml', 'application/xml', 'android', 'YYYY', 'built-in', XML_PARAMS),
  row('cmp-resource', 'Compose Multiplatform string resources', 'mono', ['strings*.xml', 'values*.xml'], 'xml', 'application/xml', 'android', 'YYYY', 'built-in', XML_PARAMS),
  row('json', 'JSON', 'both', ['*.json'], 'json', 'application/json', 'posix', 'YYYN', 'built-in', JSON_PARAMS),
  row('json-nested', 'JSON with nested objects', 'both', [], 'json', 'application/json', 'posix', 'YYYN', 'built-in', JSON_PARAMS),
  row('webextension', 'WebExtension JSON', 'mono', ['messages*.json'], 'json', 'application/json', 'posix', 'YYYY', 'built-in', JSON_PARAMS),
  row('i18next', 'i18next JSON 3', 'both', [], 'json', 'application/json', 'bcp', 'YYYY', 'built-in', JSON_PARAMS),
  row('catkeys', 'Haiku catkeys', 'bi', ['*.catkeys'], 'catkeys', 'text/x-catkeys', 'posix', 'YYYN', 'base', []),
  row('i18nextv4', 'i18next JSON 4', 'both', [], 'json', 'application/json', 'bcp', 'YYYY', 'built-in', JSON_PARAMS),
  row('go-i18n-json', 'go-i18n JSON 1', 'both', [], 'json', 'application/json', 'posix', 'YYYY', 'built-in', JSON_PARAMS),
  row('go-i18n-json-v2', 'go-i18n JSON 2', 'both', [], 'json', 'application/json', 'posix', 'YYYY', 'built-in', JSON_PARAMS),
  row('gotext', 'gotext JSON', 'both', [], 'json', 'application/json', 'posix', 'YYYY', 'built-in', JSON_PARAMS),
  row('arb', 'Application resource bundle (ARB)', 'both', ['*.arb'], 'json', 'application/json', 'posix', 'YYYN', 'built-in', JSON_PARAMS),
  row('formatjs', 'FormatJS JSON', 'both', [], 'json', 'application/json', 'posix', 'YYYN', 'built-in', JSON_PARAMS),
  row('csv', 'CSV', 'both', ['*.csv'], 'csv', 'text/csv', 'posix', 'YYYN', 'base', []),
  row('csv-utf-8', 'CSV (UTF-8)', 'both', [], 'csv', 'text/csv', 'posix', 'YYYN', 'base', []),
  row('csv-simple', 'Simple CSV', 'both', ['*.txt'], 'csv', 'text/csv', 'posix', 'YYYN', 'base', []),
  row('csv-simple-utf-8', 'Simple CSV (UTF-8)', 'both', [], 'csv', 'text/csv', 'posix', 'YYYN', 'base', []),
  row('csv-simple-iso', 'Simple CSV (ISO-8859-1)', 'both', [], 'csv', 'text/csv', 'posix', 'YYYN', 'base', []),
  row('csv-multi-utf-8', 'CSV with several values a string (UTF-8)', 'both', [], 'csv', 'text/csv', 'posix', 'YYYN', 'base', []),
  row('yaml', 'YAML', 'both', ['*.pyml'], 'yml', 'text/yaml', 'posix', 'YYYN', 'built-in', YAML_PARAMS),
  row('ruby-yaml', 'Ruby YAML', 'both', ['*.ryml', '*.yml', '*.yaml'], 'yml', 'text/yaml', 'posix', 'YYYY', 'built-in', YAML_PARAMS),
  row('srt', 'SubRip subtitles', 'mono', ['*.srt'], 'srt', 'text/plain', 'posix', 'YYYN', 'base', []),
  row('sub', 'MicroDVD subtitles', 'mono', ['*.sub'], 'sub', 'text/plain', 'posix', 'YYYN', 'base', []),
  row('ass', 'Advanced SubStation Alpha subtitles', 'mono', ['*.ass'], 'ass', 'text/plain', 'posix', 'YYYN', 'base', []),
  row('ssa', 'SubStation Alpha subtitles', 'mono', ['*.ssa'], 'ssa', 'text/plain', 'posix', 'YYYN', 'base', []),
  row('dtd', 'DTD entities', 'both', ['*.dtd'], 'dtd', 'application/xml-dtd', 'posix', 'NYYN', 'built-in', []),
  row('flatxml', 'Flat XML', 'mono', [], 'xml', 'text/xml', 'posix', 'YYYN', 'built-in', FLATXML_PARAMS),
  row('resourcedictionary', 'XAML resource dictionary', 'mono', [], 'xaml', 'application/xaml+xml', 'bcp_legacy', 'YYYN', 'built-in', []),
  row('ini', 'INI', 'mono', [], 'ini', 'text/plain', 'posix', 'YYYN', 'built-in', []),
  row('islu', 'Inno Setup INI', 'mono', [], 'islu', 'text/plain', 'posix', 'YYYN', 'built-in', []),
  row('mi18n-lang', 'mi18n lang', 'mono', [], 'properties', 'text/plain', 'bcp_legacy', 'YYYN', 'built-in', []),
  row('xlsx', 'Excel workbook (XLSX)', 'both', ['*.xlsx'], 'xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'posix', 'YYYN', 'base', []),
  row('appstore', 'App store metadata', 'mono', [], 'txt', 'text/plain', 'googleplay', 'NYYN', 'base', []),
  row('html', 'HTML', 'mono', ['*.htm', '*.html'], 'html', 'text/html', 'posix', 'NNNN', 'base', []),
  row('idml', 'InDesign (IDML)', 'mono', ['*.idml', '*.idms'], 'idml', 'application/octet-stream', 'posix', 'NNNN', 'base', []),
  row('odf', 'OpenDocument', 'mono', ['*.sxw', '*.odt', '*.ods', '*.odp', '*.odg', '*.odc', '*.odf', '*.odi', '*.odm', '*.ott', '*.ots', '*.otp', '*.otg', '*.otc', '*.otf', '*.oti', '*.oth'], 'odt', 'application/vnd.oasis.opendocument.text', 'posix', 'NNNN', 'base', []),
  row('txt', 'Plain text', 'mono', ['*.txt'], 'txt', 'text/plain', 'posix', 'NNNN', 'base', []),
  row('dokuwiki', 'DokuWiki text', 'mono', ['*.dw'], 'txt', 'text/plain', 'posix', 'NNNN', 'base', []),
  row('markdown', 'Markdown', 'mono', ['*.md', '*.markdown'], 'md', 'text/markdown', 'posix', 'NNNN', 'base', []),
  row('mediawiki', 'MediaWiki text', 'mono', ['*.mw'], 'txt', 'text/plain', 'posix', 'NNNN', 'base', []),
  row('rc', 'Windows resource script', 'mono', ['*.rc'], 'rc', 'text/plain', 'bcp', 'NNNN', 'base', []),
  row('xwiki-java-properties', 'XWiki Java properties', 'both', ['*.properties'], 'properties', 'text/plain', 'linux', 'NNYY', 'built-in', []),
  row('xwiki-page-properties', 'XWiki page properties', 'both', ['*.properties'], 'xml', 'text/plain', 'linux', 'NNYY', 'base', []),
  row('xwiki-fullpage', 'XWiki full page', 'both', ['*.properties'], 'xml', 'text/plain', 'linux', 'NNYY', 'base', []),
  row('tbx', 'TermBase eXchange (TBX)', 'bi', ['*.tbx'], 'tbx', 'application/x-tbx', 'posix', 'YYYN', 'built-in', []),
  row('stringsdict', 'Apple stringsdict', 'both', ['*.stringsdict'], 'stringsdict', 'application/xml', 'posix', 'YYYY', 'built-in', []),
  row('fluent', 'Fluent', 'both', ['*.ftl'], 'ftl', 'text/x-fluent', 'bcp', 'YYYN', 'built-in', []),
  row('toml', 'TOML', 'mono', ['*.toml'], 'toml', 'application/toml', 'posix', 'YYYN', 'built-in', []),
  row('xcstrings', 'Apple string catalog', 'bi', ['*.xcstrings'], 'xcstrings', 'application/json', 'bcp', 'YYYY', 'base', JSON_PARAMS),
  row('mo', 'gettext MO', 'bi', ['*.mo', '*.gmo'], 'mo', 'application/x-gettext-catalog', 'posix', 'YYYY', 'base', []),
  row('lang', 'Mozilla .lang', 'bi', ['*.lang'], 'lang', 'text/plain', 'bcp', 'YYYN', 'base', []),
  row('tmx', 'Translation memory eXchange (TMX)', 'bi', ['*.tmx'], 'tmx', 'application/x-tmx', 'posix', 'YYYN', 'base', []),
] as const;

export type FormatId = (typeof rows)[number]['id'];

/** The table of formats, in the order of display and detection. */
export const registry: readonly (FormatInfo & { readonly id: FormatId })[] = rows;

/** Formats in which an empty value is final, because .NET displays it. */
const BLANK_IS_FINAL: ReadonlySet<string> = new Set<FormatId>(['resx']);

/** Whether an empty value is an untranslated string. */
export function blankIsUnit(id: string): boolean {
  return !BLANK_IS_FINAL.has(id);
}

/** Formats whose files store whether a string needs editing. */
const KEEPS_STATES: ReadonlySet<string> = new Set<FormatId>([
  ...(['po', 'po-mono', 'ts', 'plainxliff', 'xliff', 'poxliff', 'xliff2', 'xcstrings', 'xlsx'] as const),
  ...(['csv', 'csv-utf-8', 'csv-multi-utf-8'] as const),
]);

/** Whether files of a format store which strings need editing. For others, only the platform stores it. */
export function keepsStates(id: string): boolean {
  return KEEPS_STATES.has(id);
}

/** Formats whose files distinguish approved strings from translated ones. */
const KEEPS_APPROVAL: ReadonlySet<string> = new Set<FormatId>(['plainxliff', 'xliff', 'poxliff', 'xliff2']);

/** Whether files of a format store which strings are approved. */
export function keepsApproval(id: string): boolean {
  return KEEPS_APPROVAL.has(id);
}

/** Separator of key parts in nested formats. */
const KEY_SEPARATORS: Readonly<Partial<Record<FormatId, readonly string[]>>> = {
  ...{ 'json-nested': ['.', '['], i18next: ['.', '['], i18nextv4: ['.', '['] },
  ...{ yaml: ['->'], 'ruby-yaml': ['->'], toml: ['.', '['], php: ['.'], laravel: ['.'] },
};

/** Separator of key parts in formats where a key cannot have both a text and children; else empty. */
export function keySeparators(id: string): readonly string[] {
  return KEY_SEPARATORS[id as FormatId] ?? [];
}

/** The ancestors of a key: `a` and `a.b` of `a.b.c`. None of them can have a text. */
export function keyAncestors(id: string, key: string): string[] {
  const separators = keySeparators(id);
  const found: string[] = [];
  for (let at = 1; at < key.length; at++)
    if (separators.some((separator) => key.startsWith(separator, at))) found.push(key.slice(0, at));
  return found;
}

const byId = new Map<string, FormatInfo & { readonly id: FormatId }>(rows.map((info) => [info.id, info]));

/** The row of a format; undefined for an unknown name. */
export function formatInfo(id: string): (FormatInfo & { readonly id: FormatId }) | undefined {
  return byId.get(id);
}

/** Number of bytes that are inspected to distinguish formats with the same extension. */
const SNIFFED_BYTES = 1024 * 1024;

/**
 * Detects the format from the last part of a file name; undefined if there is none. The bytes distinguish formats with the
 * same extension.
 */
export function detectFormat(fileName: string, bytes?: Buffer): FormatId | undefined {
  const named = formatOfName(fileName);
  if (named !== 'plainxliff' || !bytes) return named;
  const head = bytes.subarray(0, SNIFFED_BYTES).toString('latin1');
  if (/<xliff\b[^>]*\bversion\s*=\s*["']2/.test(head)) return 'xliff2';
  return head.includes('x-gettext-plurals') ? 'poxliff' : named;
}

function formatOfName(fileName: string): FormatId | undefined {
  const name = fileName.slice(fileName.lastIndexOf('/') + 1).toLowerCase();
  const guess = (wholeName: boolean): FormatId | undefined =>
    rows.find((info) => info.autoDetect.some((p) => p.startsWith('*') !== wholeName && matches(p, name)))?.id;
  return guess(true) ?? guess(false);
}

function matches(pattern: string, name: string): boolean {
  const [head, tail] = pattern.split('*', 2) as [string, string];
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}
