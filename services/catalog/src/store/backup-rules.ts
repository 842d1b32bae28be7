import type { BackupRules } from '@parlance/store-kit';

const announcing = () => [{ 'outbox.timeMs': { $gt: 0 } }];

/** Backup rules of the collections of this database. */
export const backupRules: BackupRules = {
  projects: { copied: true, inProgress: announcing, sealed: ['hookSecret'] },
  nodes: { copied: true, inProgress: announcing, sealed: ['repoSecret', 'pushSecret'] },
  languages: { copied: true, ofNoProject: 'Languages belong to the site.', initial: Infinity },
  labels: { copied: true },
  componentlists: { copied: true },
  addons: { copied: true, inProgress: announcing, sealed: ['configuration.*'] },
  agreements: { copied: true, ofNoProject: 'People accept the agreement of a restored component again.' },
  counters: { copied: true, ofNoProject: 'Ids are never reused.', initial: Infinity },
  maintenance: { copied: false, because: 'The mode is one of the running installation.' },
};
