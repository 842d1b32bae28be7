import type { Touched } from '../../domain/ports';

/** An edited string. */
export interface TouchedUnit {
  unit: number;
  touched: Touched;
}

/** Runs the checks that compare several strings. */
export interface BackgroundChecks {
  /** Checks edited strings and those that share a source or target with them. */
  run(edited: readonly TouchedUnit[]): Promise<void>;
  /** Checks marked translations soon, in the background. */
  scheduleRecheck(): void;
}
