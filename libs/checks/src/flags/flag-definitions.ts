import { CHECKS, FORMAT_CHECKS } from '../check-definitions';

/** Constraints on the parameters of a flag. */
export interface FlagConstraints {
  /** Minimum number of parameters. */
  min: number;
  max: number;
  /** The number of parameters must be even. */
  even?: boolean;
  /** All parameters are integers. */
  integer?: boolean;
  /** `optional`: r"..." marks a parameter as a regular expression. `always`: the parameter is one in any notation. */
  regex?: 'optional' | 'always';
}

const SWITCH: FlagConstraints = { min: 0, max: 0 };
const MANY = 1000;

const SWITCHES = [
  ...FORMAT_CHECKS.map(([id]) => id.replaceAll('_', '-')),
  'icu-message-format',
  'check-glossary',
  'bbcode-text',
  'md-text',
  'rst-text',
  'xml-text',
  'safe-html',
  'url',
  'fluent-source-syntax',
  'fluent-target-syntax',
  'fluent-parts',
  'fluent-references',
  'fluent-source-inner-html',
  'fluent-target-inner-html',
  'auto-java-messageformat',
  'read-only',
  'forbidden',
  'terminology',
  'strict-same',
  'strict-format',
  'case-insensitive',
  'dos-eol',
  'ignore-all-checks',
  ...CHECKS.map((check) => check.ignoreFlag),
];

/** All flags with the constraints on their parameters. */
export const FLAGS: ReadonlyMap<string, FlagConstraints> = new Map<string, FlagConstraints>([
  ...SWITCHES.map((name) => [name, SWITCH] as const),
  ['max-length', { min: 1, max: 1, integer: true }],
  ['max-size', { min: 1, max: 2, integer: true }],
  ['placeholders', { min: 1, max: MANY, regex: 'optional' }],
  ['regex', { min: 1, max: 1, regex: 'always' }],
  ['priority', { min: 1, max: 1, integer: true }],
  ['replacements', { min: 2, max: MANY, even: true }],
  ['variant', { min: 1, max: 1 }],
  ['font-family', { min: 1, max: 1 }],
  ['font-size', { min: 1, max: 1, integer: true }],
  ['font-weight', { min: 1, max: 1 }],
  ['font-spacing', { min: 1, max: 1, integer: true }],
  ['icu-flags', { min: 1, max: MANY }],
  ['icu-tag-prefix', { min: 1, max: 1 }],
  ['fluent-type', { min: 1, max: 1 }],
  ['discard', { min: 1, max: 1 }],
]);

export const FLAG_ALIASES: ReadonlyMap<string, string> = new Map([['markdown-text', 'md-text']]);

/** Words among the flags of translation files that are not flags of checks. */
export const IGNORED_FLAGS: ReadonlySet<string> = new Set(['fuzzy', '#']);
