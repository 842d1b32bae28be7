/** Actions of history entries; the numbers are part of the public API. */
export const Action = {
  fileUpdated: 0,
  translationCompleted: 1,
  targetChanged: 2,
  commentAdded: 3,
  suggestionAdded: 4,
  firstTarget: 5,
  autoTranslated: 6,
  suggestionAccepted: 7,
  suggestionCleanedUp: 29,
  commentRemoved: 64,
  reverted: 8,
  targetUploaded: 9,
  newSource: 13,
  repositoryReset: 19,
  mergeFailed: 22,
  rebaseFailed: 23,
  translationRemoved: 25,
  sourceChanged: 30,
  stringAdded: 31,
  approved: 36,
  markedForEdit: 37,
  newContributor: 45,
  languageAdded: 48,
  fileReplaced: 54,
  updatedFromRepository: 59,
  stringRemoved: 63,
  explanationChanged: 66,
  saveFailed: 70,
  addedFromRepository: 71,
  updatedByUpload: 72,
  addedByUpload: 73,
  sourceUploaded: 74,
  componentCompleted: 75,
  enforcedCheck: 76,
  propagated: 77,
  fileUploaded: 78,
  extraFlagsChanged: 79,
} as const;

/** Actions that change a text: they count as contributions and in recent_changes. */
export const contentActions: ReadonlySet<number> = new Set([2, 5, 6, 7, 8, 9, 27, 30, 31, 32, 36, 37, 66, 76, 77, 79]);

/** One entry of the history. */
export interface Change {
  id: number;
  action: number;
  time: number;
  project: number;
  component: number;
  translation: number;
  unit: number;
  language: string;
  /** Acting user; 0: no account. */
  user: number;
  /** Author of the text. */
  author: number;
  target: string;
  old: string;
  details: Record<string, unknown>;
  /** Idempotency key: of entries with the same key the first is kept. */
  once?: string;
}
