import type { BackupRules } from '@parlance/store-kit';

/** Backup rules of the collections of this database. The sums in memory are built from it at the start. */
export const backupRules: BackupRules = {
  snapshots: { copied: true },
  objects: { copied: true },
};
