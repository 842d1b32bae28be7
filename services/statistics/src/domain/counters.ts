/** Groups of strings; each is counted in strings, words and characters. */
export const groups = [
  'all',
  'translated',
  'fuzzy',
  'approved',
  'readonly',
  'failing',
  'suggestions',
  'comments',
] as const;
export type Group = (typeof groups)[number];

/** Counters besides the groups, summed like them. The sum of the ids of translations changes when one is added or removed. */
export const extras = ['checks', 'contentChanges', 'translationIds'] as const;
export type Extra = (typeof extras)[number];

/** Number of summed counters: three for each group, and the extras. */
export const ADDED = groups.length * 3 + extras.length;

/** Column of a group's strings, followed by its words and characters. */
export const columnOf = (group: Group): number => groups.indexOf(group) * 3;
export const columnOfExtra = (extra: Extra): number => groups.length * 3 + extras.indexOf(extra);

/** Counters of a translation or a sum. */
export interface Counters {
  /** ADDED numbers in the order of groups and extras. */
  added: ArrayLike<number>;
  /** Newest change of any kind, milliseconds since the epoch; 0: none. */
  lastChange: number;
  /** Full name of the author of the newest change with an author; '' for none. */
  lastAuthor: string;
  lastAuthorId: number;
}

/** The counters of a translation at a revision. */
export interface Snapshot {
  translationId: number;
  componentId: number;
  projectId: number;
  languageCode: string;
  /** Incremented by every write to the translation. */
  revision: number;
  counters: Counters;
}

export function emptyCounters(): Counters {
  return { added: new Float64Array(ADDED), lastChange: 0, lastAuthor: '', lastAuthorId: 0 };
}
