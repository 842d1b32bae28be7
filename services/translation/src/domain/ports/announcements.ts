import type { Translation } from '../translation';

/** Ids of the units that a write changed; empty when the write changed the translation alone. */
export type WrittenUnits = readonly number[] | 'any';

/** Publishes translations with their counters to other services. */
export interface Announcer {
  /** @param earlier time of the oldest write that an interruption may have left unannounced, milliseconds since the epoch; absent: the write is new */
  updated(translation: Translation, units: WrittenUnits, earlier?: number): Promise<void>;
  deleted(translation: Translation): Promise<void>;
}

/** Work that is not done yet. */
export interface Backlog {
  count: number;
  /** Time of the oldest item of a sample, milliseconds since the epoch; undefined: none is known. */
  oldest: number | undefined;
}

/** Generations of contents: gateways keep replies until their contents change (docs/adr/0010). */
export interface ContentGenerations {
  /**
   * Called after a write of strings, history or counters, and before its response. Does not fail.
   * @param places where contents changed; 0: in no project, in no component
   */
  changed(places: readonly { project: number; component: number }[]): Promise<void>;
  /** The same after a write of the translation memory. */
  memoryChanged(): Promise<void>;
}
