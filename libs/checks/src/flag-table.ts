import { CHECKS, FORMAT_CHECKS } from './table';

/** What a flag's parameters must be. */
export interface FlagSpec {
  /** Fewest and most parameters. */
  min: number;
  max: number;
  /** `even` count is wanted. */
  even?: boolean;
  /** Every parameter is a whole number. */
  integer?: boolean;
  /** `optional`: parameters may be written r"..."; `always`: the parameter is a regular expression however written. */
  regex?: 'optional' | 'always';
}

const SWITCH: FlagSpec = { min: 0, max: 0 };
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

/** Every flag there is, with its parameters. */
export const FLAGS: ReadonlyMap<string, FlagSpec> = new Map<string, FlagSpec>([
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

/** Other spellings of flags. */
export const FLAG_ALIASES: ReadonlyMap<string, string> = new Map([['markdown-text', 'md-text']]);

/** Words that files put among flags and that say nothing about checks. */
export const IGNORED_FLAGS: ReadonlySet<string> = new Set(['fuzzy', '#']);
