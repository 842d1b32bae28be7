import {
  type Comparison,
  DATE_FIELDS,
  EXACT_FIELDS,
  HAS_NAMES,
  type HasName,
  NUMBER_FIELDS,
  STATE_FIELDS,
  type StateField,
  type Term,
  TEXT_FIELDS,
  type TextField,
  type TextMatch,
} from './ast';
import { parseDate } from './dates';
import { SearchError, type SearchErrorReason } from './errors';
import type { ParseOptions } from './options';
import { compileRegex, RegexError } from './regex';
import type { Operator, TermToken } from './tokens';

/** Unit states by the names that a query may use. */
export const STATES: Readonly<Record<string, number>> = {
  '0': 0,
  '10': 10,
  '20': 20,
  '30': 30,
  '100': 100,
  empty: 0,
  untranslated: 0,
  'needs-editing': 10,
  fuzzy: 10,
  translated: 20,
  approved: 30,
  readonly: 100,
  'read-only': 100,
};

const BOOLEANS: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  on: true,
  '1': true,
  no: false,
  false: false,
  off: false,
  '0': false,
};

/** `is:` names as conditions. */
const IS: Readonly<Record<string, Term>> = {
  'read-only': { type: 'state', field: 'state', op: '=', value: 100 },
  readonly: { type: 'state', field: 'state', op: '=', value: 100 },
  approved: { type: 'state', field: 'state', op: '=', value: 30 },
  fuzzy: { type: 'state', field: 'state', op: '=', value: 10 },
  'needs-editing': { type: 'state', field: 'state', op: '=', value: 10 },
  translated: { type: 'state', field: 'state', op: '>=', value: 20 },
  untranslated: { type: 'state', field: 'state', op: '<', value: 20 },
  pending: { type: 'pending', value: true },
};

const HAS_ALIASES: Readonly<Record<string, HasName>> = {
  'failing-check': 'check',
  'ignored-check': 'dismissed-check',
  shaping: 'variant',
};

/** Maximum number of ids in a comma-separated list. */
const MAX_IDS = 1000;

/** Fields that a bare value searches. */
const FREE_FIELDS: readonly TextField[] = ['source', 'target', 'context'];

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const includes = <T extends string>(list: readonly T[], value: string): value is T =>
  (list as readonly string[]).includes(value);

const comparison = (operator: Operator): Comparison => (operator === ':' ? '=' : (operator.slice(1) as Comparison));

function fail(token: TermToken, reason: SearchErrorReason, message: string): never {
  throw new SearchError(reason, token.position, token.text.slice(0, 80), `${message} (position ${token.position})`);
}

function plainText(token: TermToken): string {
  const { kind, text } = token.value;
  if (kind === 'regex') fail(token, 'bad_value', `"${token.field}" takes no regular expression`);
  if (kind === 'range') fail(token, 'bad_value', `"${token.field}" takes no range`);
  return text;
}

function rangeEnds(token: TermToken): [string, string] {
  if (token.operator !== ':' && token.operator !== ':=') fail(token, 'bad_operator', 'a range takes no comparison');
  const parts = token.value.text.split(/\sto\s/i).map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'));
  if (parts.length !== 2) fail(token, 'bad_value', 'a range is written as [FROM to TO]');
  return parts as [string, string];
}

function textMatch(token: TermToken): TextMatch {
  const { operator, value } = token;
  if (value.kind === 'regex') {
    try {
      compileRegex(value.text);
    } catch (error) {
      if (!(error instanceof RegexError)) throw error;
      fail(token, 'bad_regex', `invalid regular expression: ${error.message}`);
    }
    return { kind: 'regex', value: value.text };
  }
  const text = value.kind === 'range' ? `[${value.text}]` : value.text;
  if (operator === ':=') return { kind: 'exact', value: text };
  // Texts may start with a comparison operator: target:<b> searches for the tag.
  return { kind: 'contains', value: operator.slice(1) + text };
}

function integer(token: TermToken, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) fail(token, 'bad_value', `"${text}" is not a whole number`);
  return Number(text);
}

function numberTerm(token: TermToken, field: (typeof NUMBER_FIELDS)[number]): Term {
  if (token.value.kind === 'range') {
    const [min, max] = rangeEnds(token).map((end) => integer(token, end)) as [number, number];
    return { type: 'number', field, min, max };
  }
  const text = plainText(token);
  const op = comparison(token.operator);
  if (op === '=') {
    const values = field === 'id' ? text.split(',').filter((part) => part !== '') : [text];
    if (values.length === 0) fail(token, 'bad_value', 'a number is missing');
    if (values.length > MAX_IDS) fail(token, 'bad_value', `more than ${MAX_IDS} ids`);
    return { type: 'number', field, values: values.map((value) => integer(token, value.trim())) };
  }
  const value = integer(token, text);
  if (op === '<' || op === '<=') return { type: 'number', field, max: op === '<' ? value - 1 : value };
  return { type: 'number', field, min: op === '>' ? value + 1 : value };
}

function stateTerm(token: TermToken, field: StateField): Term {
  const name = plainText(token).toLowerCase().replaceAll('_', '-');
  const value = own(STATES, name);
  if (value === undefined) fail(token, 'bad_value', `"${name}" is not a state`);
  return { type: 'state', field, op: comparison(token.operator), value };
}

function dateTerm(token: TermToken, field: (typeof DATE_FIELDS)[number], now: number): Term {
  const read = (text: string): { from: number; before: number } => {
    const span = parseDate(text, now);
    if (!span) fail(token, 'bad_value', `"${text}" is not a date`);
    return span;
  };
  if (token.value.kind === 'range') {
    const [start, end] = rangeEnds(token);
    return { type: 'date', field, from: read(start).from, before: read(end).before };
  }
  const span = read(plainText(token));
  switch (comparison(token.operator)) {
    case '=':
      return { type: 'date', field, ...span };
    case '<':
    case '<=':
      return { type: 'date', field, before: span.before };
    default:
      return { type: 'date', field, from: span.from };
  }
}

function equalityOnly(token: TermToken): string {
  if (token.operator !== ':' && token.operator !== ':=') {
    fail(token, 'bad_operator', `"${token.field}" cannot be compared with ${token.operator}`);
  }
  return plainText(token);
}

function actionTerm(token: TermToken, options: ParseOptions): Term {
  const label = equalityOnly(token);
  const action = options.changeAction?.(label);
  if (action === undefined) fail(token, 'bad_value', `"${label}" is not a change action`);
  return { type: 'change_action', action };
}

function pathTerm(token: TermToken): Term {
  const segments = equalityOnly(token)
    .split('/')
    .filter((segment) => segment !== '');
  if (segments.length === 0 || segments.length > 16) fail(token, 'bad_value', 'a path has 1 to 16 parts');
  return { type: 'path', segments: segments.map((segment) => (segment === '-' ? null : segment)) };
}

/** Parses one term of a query. */
export function buildTerm(token: TermToken, options: ParseOptions): Term {
  if (token.field === undefined) return { type: 'text', fields: FREE_FIELDS, match: textMatch(token) };
  const field = token.field === 'key' ? 'context' : token.field;
  if (includes(TEXT_FIELDS, field)) return { type: 'text', fields: [field], match: textMatch(token) };
  if (includes(NUMBER_FIELDS, field)) return numberTerm(token, field);
  if (includes(STATE_FIELDS, field)) return stateTerm(token, field);
  if (includes(DATE_FIELDS, field)) return dateTerm(token, field, options.now ?? Date.now());
  if (includes(EXACT_FIELDS, field)) return { type: 'exact', field, value: equalityOnly(token) };
  switch (field) {
    case 'pending': {
      const value = own(BOOLEANS, equalityOnly(token).toLowerCase());
      if (value === undefined) fail(token, 'bad_value', 'expected yes or no');
      return { type: 'pending', value };
    }
    case 'component': {
      if (token.value.kind !== 'regex') equalityOnly(token);
      return { type: 'component', match: textMatch(token) };
    }
    case 'change_action':
      return actionTerm(token, options);
    case 'path':
      return pathTerm(token);
    case 'is': {
      const name = equalityOnly(token).toLowerCase().replaceAll('_', '-');
      const term = own(IS, name);
      if (!term) fail(token, 'bad_value', `"is:${name}" is not known`);
      return term;
    }
    case 'has': {
      const name = equalityOnly(token).toLowerCase().replaceAll('_', '-');
      const what = own(HAS_ALIASES, name) ?? name;
      if (!includes(HAS_NAMES, what)) fail(token, 'bad_value', `"has:${name}" is not known`);
      return { type: 'has', what };
    }
    default:
      return fail(token, 'unknown_field', `"${token.field}" is not a field; put the text in quotes to look for it`);
  }
}
