import type { BackupRules } from '@parlance/store-kit';

/** Backup rules of the collections of this database. */
export const backupRules: BackupRules = {
  subscriptions: { copied: true, sealed: ['sealedSecret'] },
  deliveries: { copied: true, ofNoProject: 'Logs of requests.', initial: Infinity },
  inbound_deliveries: {
    copied: true,
    ofNoProject: 'Logs of requests.',
    inProgress: () => [{ 'outbox.timeMs': { $gt: 0 } }],
  },
  counters: { copied: true, ofNoProject: 'Ids are never reused.', initial: Infinity },
  triggers: { copied: false, because: 'Times within which triggers are merged: they expire within an hour.' },
};
