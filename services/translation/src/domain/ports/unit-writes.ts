import type { Change } from '../change';
import type { CounterDelta } from '../counters';
import type { Author, Unit } from '../unit';

/**
 * Outbox item: the effects of a write to a unit. The unit's document contains it until its effects (history, counters, event,
 * propagation) are durable. Every effect is idempotent.
 */
export interface OutboxItem {
  id: string;
  /** Milliseconds since the epoch. */
  time: number;
  translation: number;
  delta: CounterDelta;
  /** History entries with their ids: inserting them twice inserts them once. */
  changes: Change[];
  /** Input of checks that compare several strings; absent: the write does not affect them. */
  touched?: Touched;
  /** Copy of the edit for strings with the same source in other components; absent: it does not propagate. */
  propagation?: Propagation;
}

/** Effect of an edit on checks that compare several strings. */
export interface Touched {
  /** Non-blank targets of the string before and after the edit. */
  texts: string[][];
  /** The string started or stopped failing checks. */
  failing: boolean;
}

/** An edit to copy to the strings with the same source and context, and the rights of its author at that time. */
export interface Propagation {
  target: string[];
  state: number;
  author: Author;
  /** Components whose strings the author may edit; approved strings only where `mayReview` is set. */
  components: { id: number; mayReview: boolean }[];
}

/** Fields of a unit that a write may set. */
export type UnitPatch = Partial<
  Pick<
    Unit,
    | 'target'
    | 'state'
    | 'formerState'
    | 'source'
    | 'previousSource'
    | 'contentHash'
    | 'checks'
    | 'dismissedChecks'
    | 'explanation'
    | 'extraFlags'
    | 'labels'
    | 'edits'
    | 'stored'
    | 'suggestions'
    | 'comments'
    | 'priority'
    | 'note'
    | 'location'
    | 'flags'
    | 'position'
    | 'updated'
    | 'words'
    | 'chars'
    | 'sourceUnit'
  >
>;

/** Counted outbox items of one translation that a process may leave in their documents for a while. */
export const MAX_UNCLEARED = 128;

/** Conditional write: applied only when the unit still has the version. */
export interface UnitWrite {
  unit: number;
  version: number;
  patch: UnitPatch;
  outbox?: OutboxItem;
}

/** Conditional removal: applied only when the unit still has the version. */
export interface UnitRemoval extends Pick<UnitWrite, 'unit' | 'version'> {
  outbox: OutboxItem;
}
