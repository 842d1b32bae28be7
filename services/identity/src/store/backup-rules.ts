import type { BackupRules } from '@parlance/store-kit';

const announcing = () => [{ 'outbox.id': { $gt: '' } }, { 'auditTrail.uid': { $gt: '' } }];

/** Backup rules of the collections of this database. */
export const backupRules: BackupRules = {
  // The anonymous user and the first administrator.
  users: { copied: true, initial: 2, inProgress: announcing, sealed: ['secondFactors.*.sealedSecret'] },
  groups: { copied: true, initial: Infinity, inProgress: announcing },
  roles: { copied: true, ofNoProject: 'Roles belong to the site.', initial: Infinity, inProgress: announcing },
  projects: { copied: true },
  audit: { copied: true, ofNoProject: 'The log belongs to the site.', initial: Infinity },
  mails: { copied: true, ofNoProject: 'Mails were sent.', initial: Infinity },
  webCredentials: {
    copied: false,
    because: 'Sessions end and people sign in again; links of password resets last an hour.',
  },
  attempts: { copied: false, because: 'Failed attempts to sign in, which are forgotten within a day.' },
  counters: { copied: true, ofNoProject: 'Ids are never reused.', initial: Infinity },
  // How far the history was read for notifications.
  progress: { copied: true, ofNoProject: 'The history is read on.', initial: Infinity },
};
