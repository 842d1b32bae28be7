import type { Query, Term, UnitFieldMap, UnitView } from '@parlance/search';
import type { Unit } from './unit';

/** Inclusive start and exclusive end, milliseconds since the epoch; absent: open. */
export interface TimeSpan {
  from?: number | undefined;
  before?: number | undefined;
}

/** Selects units. Stores translate it into their query language. */
export type UnitQuery =
  /** Without members: every unit. */
  | { kind: 'and'; all: readonly UnitQuery[] }
  /** Without members: no unit. */
  | { kind: 'or'; any: readonly UnitQuery[] }
  | { kind: 'ids'; ids: readonly number[] }
  /** Omits units whose removal is in progress. */
  | { kind: 'present' }
  | { kind: 'translations'; ids: readonly number[] }
  | { kind: 'components'; ids: readonly number[]; exclude?: true }
  | { kind: 'projects'; ids: readonly number[]; exclude?: true }
  /** Units of these source units, including the source units. */
  | { kind: 'sourceUnits'; ids: readonly number[]; exclude?: true }
  /** The same for one source unit, found through the index of content hashes. */
  | { kind: 'sourceUnit'; id: number; contentHash: string }
  | { kind: 'language'; code: string }
  | { kind: 'states'; states: readonly number[] }
  | { kind: 'priority'; values?: readonly number[] | undefined; min?: number | undefined; max?: number | undefined }
  | ({ kind: 'created' | 'updated' } & TimeSpan)
  | { kind: 'has'; what: 'suggestions' | 'comments' | 'flags' }
  /** Flags of the file match a regular expression. */
  | { kind: 'flags'; pattern: string }
  /** Source strings of a project that contain one of the terms as whole words, ignoring case. */
  | { kind: 'sourceWords'; project: number; terms: readonly string[] }
  /** A parsed search; `resolved` has the units of terms about data outside the unit. */
  | { kind: 'search'; query: Query; resolved: ReadonlyMap<Term, UnitQuery> };

/** Conditions on a suggestion or comment; all apply. */
export interface RemarkCondition {
  user?: number;
  resolved?: boolean;
  /** A text term of a search. */
  text?: Extract<Term, { type: 'text' }>;
}

export const everyUnit: UnitQuery = { kind: 'and', all: [] };
export const noUnit: UnitQuery = { kind: 'or', any: [] };

export const allOf = (...all: UnitQuery[]): UnitQuery => (all.length === 1 ? all[0]! : { kind: 'and', all });
export const anyOf = (...any: UnitQuery[]): UnitQuery => (any.length === 1 ? any[0]! : { kind: 'or', any });
export const inTranslation = (id: number): UnitQuery => ({ kind: 'translations', ids: [id] });

/** Priority of a unit without a priority flag. */
export const DEFAULT_PRIORITY = 100;

/** Search fields that are fields of a unit. Terms about other fields are resolved by lookups first. */
export const UNIT_FIELDS: UnitFieldMap = {
  id: 'id',
  source: 'source',
  target: 'target',
  context: 'context',
  note: 'note',
  location: 'location',
  state: 'state',
  pending: 'pending',
  position: 'position',
  check: 'checks',
  dismissed_check: 'dismissedChecks',
  language: 'language',
};

/** The fields of {@link UNIT_FIELDS}, for queries that are evaluated in memory. */
export const viewOf = (unit: Unit): UnitView => ({
  id: unit.id,
  source: unit.source,
  target: unit.target,
  context: unit.context,
  note: unit.note,
  location: unit.location,
  state: unit.state,
  pending: unit.edits.length > 0,
  position: unit.position,
  checks: unit.checks,
  dismissedChecks: unit.dismissedChecks,
  language: unit.language,
});
