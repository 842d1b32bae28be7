import { escapeLiteral, ownRegExp } from '@parlance/patterns';
import type { Comparison, DateField, ExactField, HasName, NumberField, Query, Term, TextField, TextMatch } from './ast';
import { compileRegex } from './regex';

/** A suggestion or comment on a unit. */
export interface Remark {
  text: string;
  /** User name. */
  author: string;
  resolved?: boolean;
}

/**
 * A unit for the evaluator. Missing properties count as empty, so callers provide those that their queries need.
 * Times are milliseconds since 1970.
 */
export interface UnitView {
  source: readonly string[];
  target: readonly string[];
  state: number;
  id?: number;
  context?: string;
  note?: string;
  location?: string;
  explanation?: string;
  flags?: string;
  extraFlags?: string;
  sourceState?: number;
  pending?: boolean;
  position?: number;
  priority?: number;
  /** Label names. */
  labels?: readonly string[];
  /** Ids of failing checks that are not dismissed. */
  checks?: readonly string[];
  dismissedChecks?: readonly string[];
  suggestions?: readonly Remark[];
  comments?: readonly Remark[];
  changes?: readonly { action: number; author: string; time: number; content?: boolean }[];
  added?: number;
  lastChanged?: number;
  sourceChanged?: number;
  language?: string;
  project?: string;
  component?: { slug: string; name: string };
  /** Category slugs between project and component, outermost first. */
  categories?: readonly string[];
  /** Names of screenshots. */
  screenshots?: readonly string[];
  hasVariant?: boolean;
  hasGlossaryTerms?: boolean;
}

export type Predicate = (unit: UnitView) => boolean;

const NONE: readonly string[] = [];

const remarks = (list: readonly Remark[] | undefined): readonly string[] => list?.map((remark) => remark.text) ?? NONE;

const texts: Record<TextField, (unit: UnitView) => readonly string[] | string> = {
  source: (unit) => unit.source,
  target: (unit) => unit.target,
  context: (unit) => unit.context ?? '',
  note: (unit) => unit.note ?? '',
  location: (unit) => unit.location ?? '',
  explanation: (unit) => unit.explanation ?? '',
  suggestion: (unit) => remarks(unit.suggestions),
  comment: (unit) => remarks(unit.comments?.filter((remark) => !remark.resolved)),
  resolved_comment: (unit) => remarks(unit.comments?.filter((remark) => remark.resolved)),
};

const numbers: Record<NumberField, (unit: UnitView) => number> = {
  id: (unit) => unit.id ?? 0,
  position: (unit) => unit.position ?? 0,
  priority: (unit) => unit.priority ?? 100,
  labels_count: (unit) => unit.labels?.length ?? 0,
};

const exacts: Record<ExactField, (unit: UnitView) => readonly string[]> = {
  changed_by: (unit) => unit.changes?.map((change) => change.author) ?? NONE,
  suggestion_author: (unit) => unit.suggestions?.map((remark) => remark.author) ?? NONE,
  comment_author: (unit) => unit.comments?.map((remark) => remark.author) ?? NONE,
  check: (unit) => unit.checks ?? NONE,
  dismissed_check: (unit) => unit.dismissedChecks ?? NONE,
  language: (unit) => (unit.language === undefined ? NONE : [unit.language]),
  project: (unit) => (unit.project === undefined ? NONE : [unit.project]),
  label: (unit) => unit.labels ?? NONE,
  screenshot: (unit) => unit.screenshots ?? NONE,
};

const single = (time: number | undefined): readonly number[] => (time === undefined ? [] : [time]);

const dates: Record<DateField, (unit: UnitView) => readonly number[]> = {
  changed: (unit) => unit.changes?.filter((change) => change.content !== false).map((change) => change.time) ?? [],
  change_time: (unit) => unit.changes?.map((change) => change.time) ?? [],
  added: (unit) => single(unit.added),
  last_changed: (unit) => single(unit.lastChanged),
  source_changed: (unit) => single(unit.sourceChanged),
};

const some = (list: readonly unknown[] | undefined): boolean => list !== undefined && list.length > 0;

const has: Record<HasName, Predicate> = {
  plural: (unit) => unit.source.length > 1,
  suggestion: (unit) => some(unit.suggestions),
  explanation: (unit) => !!unit.explanation,
  location: (unit) => !!unit.location,
  note: (unit) => !!unit.note,
  comment: (unit) => unit.comments?.some((remark) => !remark.resolved) ?? false,
  'resolved-comment': (unit) => unit.comments?.some((remark) => remark.resolved) ?? false,
  check: (unit) => some(unit.checks),
  'dismissed-check': (unit) => some(unit.dismissedChecks),
  translation: (unit) => unit.state >= 20,
  variant: (unit) => unit.hasVariant ?? false,
  label: (unit) => some(unit.labels),
  context: (unit) => !!unit.context,
  screenshot: (unit) => some(unit.screenshots),
  flags: (unit) => !!unit.flags || !!unit.extraFlags,
  glossary: (unit) => unit.hasGlossaryTerms ?? false,
};

const comparisons: Record<Comparison, (left: number, right: number) => boolean> = {
  '=': (left, right) => left === right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

function textTest(match: TextMatch): (text: string) => boolean {
  if (match.kind === 'regex') {
    const regex = compileRegex(match.value);
    return (text) => regex.test(text);
  }
  if (match.kind === 'exact') return (text) => text === match.value;
  return containsTest(match.value);
}

/** Characters other than `k` and `i`, in either case, whose small letter is or begins with it: the Kelvin sign, and I with a dot. */
const [KELVIN, DOTTED_I] = ['\u212a', '\u0130'];

/** Whether a text contains the value, ignoring case: whether its small letters contain those of the value. */
function containsTest(value: string): (text: string) => boolean {
  const small = value.toLowerCase();
  if (!/^[\x00-\x7f]+$/.test(small)) return (text) => text.includes(value) || text.toLowerCase().includes(small);
  // Compares without a copy of each text in small letters, which takes five times as long.
  const pattern = escapeLiteral(small).replace(/[a-z]/g, (letter, at: number, { length }: string) => {
    const others = letter === 'k' ? KELVIN : letter === 'i' && at === length - 1 ? DOTTED_I : '';
    return `[${letter}${letter.toUpperCase()}${others}]`;
  });
  // Without quantifiers, so that it does not backtrack.
  const regex = ownRegExp(pattern);
  return (text) => regex.test(text);
}

function compileText(fields: readonly TextField[], match: TextMatch): Predicate {
  const test = textTest(match);
  const readers = fields.map((field) => texts[field]);
  return (unit) => {
    for (const read of readers) {
      const value = read(unit);
      if (typeof value === 'string') {
        if (test(value)) return true;
      } else {
        for (const text of value) if (test(text)) return true;
      }
    }
    return false;
  };
}

/** `project/category/component/language` with `-` as wildcard. A shorter path covers all its descendants. */
function pathMatches(segments: readonly (string | null)[], unit: UnitView): boolean {
  const fits = (segment: string | null | undefined, value: string | undefined): boolean =>
    segment === null || segment === value;
  if (!fits(segments[0], unit.project)) return false;
  // project/-/language
  if (segments.length === 3 && segments[1] === null) return fits(segments[2], unit.language);
  const full = [...(unit.categories ?? []), unit.component?.slug, unit.language];
  const rest = segments.slice(1);
  return rest.length <= full.length && rest.every((segment, index) => fits(segment, full[index]));
}

function compileTerm(term: Term): Predicate {
  switch (term.type) {
    case 'text':
      return compileText(term.fields, term.match);
    case 'number': {
      const read = numbers[term.field];
      const { min = -Infinity, max = Infinity } = term;
      const values = term.values ? new Set(term.values) : undefined;
      return values ? (unit) => values.has(read(unit)) : (unit) => read(unit) >= min && read(unit) <= max;
    }
    case 'state': {
      const compare = comparisons[term.op];
      return term.field === 'state'
        ? (unit) => compare(unit.state, term.value)
        : (unit) => unit.sourceState !== undefined && compare(unit.sourceState, term.value);
    }
    case 'pending':
      return (unit) => (unit.pending ?? false) === term.value;
    case 'date': {
      const { from = -Infinity, before = Infinity } = term;
      const read = dates[term.field];
      return (unit) => read(unit).some((time) => time >= from && time < before);
    }
    case 'exact': {
      const read = exacts[term.field];
      return (unit) => read(unit).includes(term.value);
    }
    case 'change_action':
      return (unit) => unit.changes?.some((change) => change.action === term.action) ?? false;
    case 'component': {
      const { match } = term;
      const name = match.value.toLowerCase();
      // Names and slugs are compared ignoring case, even exactly.
      const test = match.kind === 'exact' ? (text: string) => text.toLowerCase() === name : textTest(match);
      return ({ component }) => component !== undefined && (test(component.slug) || test(component.name));
    }
    case 'path':
      return (unit) => pathMatches(term.segments, unit);
    case 'has':
      return has[term.what];
  }
}

/** Compiles a query to a predicate for many units. */
export function compileQuery(query: Query): Predicate {
  switch (query.type) {
    case 'all':
      return () => true;
    case 'not': {
      const child = compileQuery(query.child);
      return (unit) => !child(unit);
    }
    case 'and': {
      const children = query.children.map(compileQuery);
      return (unit) => children.every((child) => child(unit));
    }
    case 'or': {
      const children = query.children.map(compileQuery);
      return (unit) => children.some((child) => child(unit));
    }
    default:
      return compileTerm(query);
  }
}

const compiled = new WeakMap<Query, Predicate>();

/** Whether the unit matches the query. The compiled predicate is cached per query object. */
export function evaluate(query: Query, unit: UnitView): boolean {
  let predicate = compiled.get(query);
  if (!predicate) {
    predicate = compileQuery(query);
    compiled.set(query, predicate);
  }
  return predicate(unit);
}
