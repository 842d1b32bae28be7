import type { BackupRules } from '@parlance/store-kit';

/** What a backup copies of this database. */
export const backupRules: BackupRules = {
  subscriptions: { copied: true, sealed: ['sealedSecret'] },
  deliveries: { copied: true, initial: Infinity },
  inbound_deliveries: { copied: true, inProgress: () => [{ 'outbox.timeMs': { $gt: 0 } }] },
  counters: { copied: true, initial: Infinity },
  triggers: { copied: false, because: 'Times within which triggers are merged: they expire within an hour.' },
};
