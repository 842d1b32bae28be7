import type { BackupRules } from '@parlance/store-kit';

/** Backup rules of the collections of this database. Images and font files are copied as objects. */
export const backupRules: BackupRules = {
  screenshots: { copied: true, inProgress: () => [{ 'outbox.timeMs': { $gt: 0 } }] },
  fonts: { copied: true, inProgress: () => [{ 'outbox.timeMs': { $gt: 0 } }] },
  removed_places: { copied: true, ofNoProject: 'The deletion is undone under new ids.', initial: Infinity },
  counters: { copied: true, ofNoProject: 'Ids are never reused.', initial: Infinity },
  // Uploads in progress: the cleanup deletes their remains.
  expected_objects: { copied: true, ofNoProject: 'Uploads in progress.', initial: Infinity },
};
