import type { RemarkCondition, UnitQuery } from '../unit-query';

/** Search area; without a translation and projects: everywhere. */
export interface LookupScope {
  translation?: number;
  projects?: readonly number[];
}

/** Labels, explanation and extra flags of a source string. */
export interface CuratedSource {
  id: number;
  labels: number[];
  explanation: string;
  extraFlags: string;
}

/** Conditions on a history entry; all apply. `from` is inclusive, `before` exclusive. */
export interface ChangedFilter {
  actions?: readonly number[];
  user?: number;
  from?: number;
  before?: number;
  contentOnly?: boolean;
}

/** Finds units by data outside their own documents. Each method returns at most `limit` entries, without duplicates. */
export interface UnitLookups {
  changedUnits(scope: LookupScope, filter: ChangedFilter, limit: number): Promise<number[]>;
  /** Units with a suggestion or comment that meets the condition. */
  remarkedUnits(
    kind: 'suggestion' | 'comment',
    scope: LookupScope,
    condition: RemarkCondition,
    limit: number,
  ): Promise<number[]>;
  /** Source units that have, or once had, labels, an explanation or extra flags. */
  curated(scope: LookupScope, limit: number): Promise<CuratedSource[]>;
  sources(scope: LookupScope, condition: UnitQuery, limit: number): Promise<number[]>;
  contexts(translation: number, limit: number): Promise<{ id: number; context: string }[]>;
  sourceTexts(components: readonly number[], limit: number): Promise<string[]>;
}
