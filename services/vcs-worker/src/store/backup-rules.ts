import type { BackupRules } from '@parlance/store-kit';

/** Backup rules of the collections of this database. Clones are a cache: they are made again from the remotes and the stored commits. */
export const backupRules: BackupRules = {
  repositories: {
    copied: true,
    inProgress: () => [{ leaseUntil: { $gt: new Date() } }, { 'outbox.timeMs': { $gt: 0 } }],
  },
  tasks: {
    copied: true,
    ofNoProject: 'A task was done or is repeated by the next one.',
    initial: Infinity,
    inProgress: () => [{ state: 'running' }],
    backlog: true,
  },
  // Bundles of unpushed commits.
  commits: { copied: true },
  components: { copied: true },
  workers: { copied: false, because: 'Heartbeats of running processes.' },
};
