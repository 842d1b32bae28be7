/** Allocates integer ids, unique for each kind. */
export interface Ids {
  next(kind: IdKind): Promise<number>;
  range(kind: IdKind, count: number): Promise<number[]>;
}
export type IdKind = 'unit' | 'translation' | 'change' | 'suggestion' | 'comment' | 'memory';

export interface Page<T> {
  items: T[];
  total: number;
}
