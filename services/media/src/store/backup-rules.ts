import type { BackupRules } from '@parlance/store-kit';

/** What a backup copies of this database. Images and font files are copied as objects. */
export const backupRules: BackupRules = {
  screenshots: { copied: true, inProgress: () => [{ 'outbox.timeMs': { $gt: 0 } }] },
  fonts: { copied: true, inProgress: () => [{ 'outbox.timeMs': { $gt: 0 } }] },
  removed_places: { copied: true, initial: Infinity },
  counters: { copied: true, initial: Infinity },
  // Uploads in progress: the cleanup deletes what they leave behind.
  expected_objects: { copied: true, initial: Infinity },
};
