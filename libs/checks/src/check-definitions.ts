export type Severity = 'error' | 'warning' | 'info';

/** Data that a check needs besides the unit. */
export type CheckContext = 'none' | 'other-units' | 'history' | 'glossary' | 'statistics';

/** A quality check as shown by the API and the documentation. */
export interface CheckDefinition {
  /** The id in the API that Parlance follows: hence both `end_stop` and `newline-count`. */
  id: string;
  name: string;
  /** The problem that a failure indicates, in one sentence. */
  description: string;
  /** Kind of unit that is checked: translated (`target`) or source units. */
  applies: 'source' | 'target';
  /** Flag that enables the check. Checks without a flag are enabled by default. */
  flag?: string;
  /** Flag that ignores the check for a unit: a failure stays listed as dismissed, with the scope `source`. */
  ignoreFlag: string;
  severity: Severity;
  /** Checks with a context other than `none` are functions in `context-checks.ts`, outside `runChecks`. */
  context: CheckContext;
}

type Options = Partial<Pick<CheckDefinition, 'flag' | 'severity' | 'context' | 'applies' | 'ignoreFlag'>>;

function define(id: string, name: string, description: string, options: Options = {}): CheckDefinition {
  return {
    id,
    name,
    description,
    applies: options.applies ?? 'target',
    ...(options.flag === undefined ? {} : { flag: options.flag }),
    ignoreFlag: options.ignoreFlag ?? `ignore-${id.replaceAll('_', '-')}`,
    severity: options.severity ?? 'warning',
    context: options.context ?? 'none',
  };
}

const format = (id: string, name: string): CheckDefinition =>
  define(id, `${name} placeholders`, `The translation's ${name} placeholders differ from those of the source.`, {
    flag: id.replaceAll('_', '-'),
    severity: 'error',
  });

const flagged = (
  id: string,
  name: string,
  description: string,
  flag: string,
  severity: Severity = 'error',
): CheckDefinition => define(id, name, description, { flag, severity });

const ofSource = (id: string, name: string, description: string, options: Options = {}): CheckDefinition =>
  define(id, name, description, { ...options, applies: 'source', severity: options.severity ?? 'info' });

/** Check id and display name of each placeholder syntax. */
export const FORMAT_CHECKS = [
  ['python_format', 'Python %'],
  ['python_brace_format', 'Python {}'],
  ['php_format', 'PHP'],
  ['c_format', 'C'],
  ['perl_format', 'Perl %'],
  ['perl_brace_format', 'Perl {}'],
  ['javascript_format', 'JavaScript sprintf'],
  ['lua_format', 'Lua'],
  ['object_pascal_format', 'Object Pascal'],
  ['scheme_format', 'Scheme'],
  ['c_sharp_format', 'C#'],
  ['java_printf_format', 'Java printf'],
  ['java_format', 'Java MessageFormat'],
  ['percent_placeholders', '%name%'],
  ['vue_format', 'Vue I18n'],
  ['i18next_interpolation', 'i18next'],
  ['es_format', 'ECMAScript template'],
  ['automattic_components_format', 'Automattic component'],
  ['angularjs_format', 'AngularJS'],
  ['qt_format', 'Qt'],
  ['qt_plural_format', 'Qt plural'],
  ['ruby_format', 'Ruby'],
] as const;

export type FormatCheckId = (typeof FORMAT_CHECKS)[number][0];

/** All checks in reporting order. */
export const CHECKS: readonly CheckDefinition[] = [
  define('same', 'Left untranslated', 'The translation repeats the source text.'),
  define('begin_newline', 'Line break at the start', 'Only one of source and translation starts with a line break.'),
  define('end_newline', 'Line break at the end', 'Only one of source and translation ends with a line break.'),
  define('begin_space', 'Spaces at the start', 'Source and translation start with different numbers of spaces.'),
  define('end_space', 'Spaces at the end', 'Source and translation end with different numbers of spaces.'),
  define('double_space', 'Two spaces', 'The translation has two spaces in a row, the source has not.'),
  define('end_stop', 'Full stop at the end', 'Only one of source and translation ends with a full stop.'),
  define('end_colon', 'Colon at the end', 'Only one of source and translation ends with a colon.'),
  define('end_question', 'Question mark at the end', 'Only one of source and translation ends with a question mark.'),
  define(
    'end_exclamation',
    'Exclamation mark at the end',
    'Only one of source and translation ends with an exclamation mark.',
  ),
  define(
    'end_interrobang',
    'Question and exclamation mark at the end',
    'Only one of source and translation ends with both marks.',
  ),
  define('end_ellipsis', 'Ellipsis at the end', 'Only one of source and translation ends with an ellipsis.'),
  define('end_semicolon', 'Semicolon at the end', 'Only one of source and translation ends with a semicolon.'),
  flagged('max-length', 'Too long', 'The translation has more characters than allowed.', 'max-length'),
  flagged('max-size', 'Too large', 'The rendered translation needs more room than there is.', 'max-size'),
  define('kashida', 'Stretched letters', 'The translation has letters that only stretch a word.'),
  define(
    'punctuation_spacing',
    'Space before punctuation',
    'A no-break space is missing before a double punctuation mark.',
  ),
  define('kabyle-characters', 'Wrong Kabyle letters', 'Greek letters stand where Kabyle has its own.', {
    severity: 'error',
  }),
  ...FORMAT_CHECKS.map(([id, name]) => format(id, name)),
  flagged(
    'icu_message_format',
    'ICU MessageFormat',
    'The translation breaks the message syntax or has other placeholders.',
    'icu-message-format',
  ),
  ofSource('icu_message_format_syntax', 'ICU MessageFormat syntax', 'The source breaks the message syntax.', {
    flag: 'icu-message-format',
    ignoreFlag: 'ignore-icu-message-format',
    severity: 'error',
  }),
  define('plurals', 'Missing plural forms', 'Some plural forms are blank and others are filled in.', {
    severity: 'error',
  }),
  define('same-plurals', 'Equal plural forms', 'All plural forms have the same text.'),
  define('inconsistent', 'Inconsistent', 'The same source text has another translation elsewhere in the project.', {
    context: 'other-units',
  }),
  define('reused', 'Reused translation', 'Another source text has this same translation.', { context: 'other-units' }),
  define(
    'translated',
    'Was translated',
    'The string is untranslated or needs editing now, but had another translation before.',
    {
      context: 'history',
    },
  ),
  define('escaped_newline', 'Escaped line breaks', 'Source and translation have different numbers of \\n.'),
  define('newline-count', 'Number of lines', 'Source and translation have different numbers of line breaks.'),
  flagged('bbcode', 'BBCode', 'The BBCode tags differ from those of the source.', 'bbcode-text'),
  define('zero-width-space', 'Zero-width space', 'The translation contains an invisible space.'),
  define('xml-invalid', 'XML syntax', 'The source is well-formed XML, the translation is not.', { severity: 'error' }),
  define('xml-tags', 'XML tags', 'The tags or attributes differ from those of the source.'),
  flagged('md-reflink', 'Markdown references', 'The reference links differ from those of the source.', 'md-text'),
  flagged('md-link', 'Markdown links', 'The links differ from those of the source.', 'md-text'),
  flagged('md-syntax', 'Markdown markup', 'The markup differs from that of the source.', 'md-text', 'warning'),
  flagged('url', 'Web address', 'The translation is not a valid web address.', 'url'),
  flagged('safe-html', 'Unsafe HTML', 'The translation contains HTML that is not safe to show.', 'safe-html'),
  flagged(
    'rst-references',
    'reStructuredText references',
    'The references differ from those of the source.',
    'rst-text',
  ),
  flagged('rst-syntax', 'reStructuredText syntax', 'Inline markup of the translation is broken.', 'rst-text'),
  flagged('placeholders', 'Placeholders', 'A placeholder is missing or superfluous.', 'placeholders'),
  flagged('regex', 'Required pattern', 'The translation does not match the required pattern.', 'regex'),
  define('duplicate', 'Repeated word', 'A word stands twice in a row in the translation.'),
  ofSource(
    'optional_plural',
    'Plural in brackets',
    'The source writes a plural as "(s)" instead of having plural forms.',
  ),
  ofSource('ellipsis', 'Three dots', 'The source has three dots where an ellipsis (…) belongs.'),
  ofSource(
    'multiple_failures',
    'Fails in several languages',
    'Two or more translations of this string have failing checks.',
    { context: 'other-units' },
  ),
  ofSource(
    'long_untranslated',
    'Untranslated for long',
    'The string is old and fewer languages have it than is usual in the component.',
    { context: 'statistics' },
  ),
  ofSource(
    'unnamed_format',
    'Several unnamed placeholders',
    'A translator cannot reorder two or more placeholders without a name.',
  ),
  define('check_glossary', 'Glossary', 'A glossary term was not used, or a forbidden one was.', {
    flag: 'check-glossary',
    context: 'glossary',
  }),
  define('prohibited_initial_character', 'Risky first character', 'A spreadsheet would take the term for a formula.'),
  ofSource('fluent-source-syntax', 'Fluent syntax of the source', 'The source is not valid Fluent.', {
    flag: 'fluent-source-syntax',
    severity: 'error',
  }),
  flagged('fluent-target-syntax', 'Fluent syntax', 'The translation is not valid Fluent.', 'fluent-target-syntax'),
  flagged('fluent-parts', 'Fluent parts', 'Value and attributes are not those of the source.', 'fluent-parts'),
  flagged(
    'fluent-references',
    'Fluent references',
    'Variables, messages or terms differ from those of the source.',
    'fluent-references',
  ),
  ofSource('fluent-source-inner-html', 'HTML in the Fluent source', 'The HTML inside the source is broken.', {
    flag: 'fluent-source-inner-html',
    severity: 'error',
  }),
  flagged(
    'fluent-target-inner-html',
    'HTML in the Fluent translation',
    'The HTML inside the translation is broken or has other elements than the source.',
    'fluent-target-inner-html',
  ),
];

const byId = new Map(CHECKS.map((check) => [check.id, check]));

export function findCheck(id: string): CheckDefinition | undefined {
  return byId.get(id);
}
