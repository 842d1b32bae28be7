/** Fields of a unit that hold text. `key` in a query is `context`. */
export const TEXT_FIELDS = [
  'source',
  'target',
  'context',
  'note',
  'location',
  'explanation',
  'suggestion',
  'comment',
  'resolved_comment',
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export const NUMBER_FIELDS = ['priority', 'position', 'id', 'labels_count'] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];

export const STATE_FIELDS = ['state', 'source_state'] as const;
export type StateField = (typeof STATE_FIELDS)[number];

export const DATE_FIELDS = ['changed', 'change_time', 'added', 'last_changed', 'source_changed'] as const;
export type DateField = (typeof DATE_FIELDS)[number];

/** Fields with exact comparison: names, slugs, codes, check ids. */
export const EXACT_FIELDS = [
  'changed_by',
  'suggestion_author',
  'comment_author',
  'check',
  'dismissed_check',
  'language',
  'project',
  'label',
  'screenshot',
] as const;
export type ExactField = (typeof EXACT_FIELDS)[number];

/** Values of `has:` as used in the tree. */
export const HAS_NAMES = [
  'plural',
  'suggestion',
  'explanation',
  'location',
  'note',
  'comment',
  'resolved-comment',
  'check',
  'dismissed-check',
  'translation',
  'variant',
  'label',
  'context',
  'screenshot',
  'flags',
  'glossary',
] as const;
export type HasName = (typeof HAS_NAMES)[number];

/** Comparison of a text. Only `contains` ignores case. */
export type TextMatch =
  | { kind: 'contains'; value: string }
  /** The whole text; an empty value matches units without the text. */
  | { kind: 'exact'; value: string }
  /** RE2 syntax, checked when it was parsed; case counts. */
  | { kind: 'regex'; value: string };

export type Comparison = '=' | '<' | '<=' | '>' | '>=';

/** One condition of a query. */
export type Term =
  /** Any of the fields matches, in any of its plural forms. */
  | { type: 'text'; fields: readonly TextField[]; match: TextMatch }
  /** One of `values`, or within the inclusive bounds. */
  | { type: 'number'; field: NumberField; values?: readonly number[]; min?: number; max?: number }
  | { type: 'state'; field: StateField; op: Comparison; value: number }
  | { type: 'pending'; value: boolean }
  /** Milliseconds since 1970 UTC: `from` is inclusive, `before` exclusive. */
  | { type: 'date'; field: DateField; from?: number; before?: number }
  | { type: 'exact'; field: ExactField; value: string }
  /** The number of a change action. */
  | { type: 'change_action'; action: number }
  /** Slug or name. */
  | { type: 'component'; match: TextMatch }
  /** The parts of an object path; null stands for `-`. */
  | { type: 'path'; segments: readonly (string | null)[] }
  | { type: 'has'; what: HasName };

/** A parsed query. */
export type Query =
  | { type: 'all' }
  | { type: 'and'; children: readonly Query[] }
  | { type: 'or'; children: readonly Query[] }
  | { type: 'not'; child: Query }
  | Term;

/** Calls `visit` for every term of the query. */
export function forEachTerm(query: Query, visit: (term: Term) => void): void {
  switch (query.type) {
    case 'all':
      return;
    case 'and':
    case 'or':
      for (const child of query.children) forEachTerm(child, visit);
      return;
    case 'not':
      forEachTerm(query.child, visit);
      return;
    default:
      visit(query);
  }
}
