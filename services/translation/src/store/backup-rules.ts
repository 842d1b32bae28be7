import type { BackupRule, BackupRules } from '@parlance/store-kit';

const searchIndex: BackupRule = {
  copied: false,
  because: 'The search index is built from the units.',
  derived: true,
};

const memoryIndex: BackupRule = {
  copied: false,
  because: 'The index of the translation memory is built from its entries.',
  derived: true,
};

/** Backup rules of the collections of this database. */
export const backupRules: BackupRules = {
  units: { copied: true, inProgress: () => [{ announcing: true }] },
  translations: {
    copied: true,
    inProgress: () => [
      { recheck: true },
      { rejudge: true },
      { termsChanged: { $exists: true } },
      { unannounced: { $exists: true } },
    ],
    backlog: true,
  },
  changes: { copied: true, initial: Infinity },
  suggestions: { copied: true },
  comments: { copied: true },
  removals: { copied: true },
  memory: { copied: true },
  machinery: { copied: true, sealed: ['services.*'] },
  fonts: { copied: true },
  fencingtokens: { copied: true },
  autotranslateleases: { copied: false, because: 'Leases of running processes, which expire within a minute.' },
  counters: { copied: true, ofNoProject: 'Ids are never reused.', initial: Infinity },
  searchstate: searchIndex,
  searchblocks: searchIndex,
  searchopen: searchIndex,
  searchdocuments: searchIndex,
  memorysegments: memoryIndex,
  memorydocuments: memoryIndex,
};
