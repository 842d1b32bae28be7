export { checkMongo, connectMongo, type Mongo } from './connect';
export { CountedPages, type PageOfList } from './lists/counted-pages';
export { driverCollection } from './driver-collection';
export { GroupCommit } from './writes/group-commit';
export { IdSequences, type CounterCollection } from './ids';
export { ensureIndexes } from './indexes';
export { insertUnique } from './writes/insert';
export { countUpTo, listTotal } from './lists/list-total';
export { LOST_RACE, optimisticUpdate, type OptimisticUpdateOptions } from './writes/optimistic-update';
export { SCHEMA_COLLECTION, type Migration } from './migrations/migration';
export { MigrationRunner, type MigrationOptions } from './migrations/migration-runner';
export { openStore, type Store } from './open-store';
export {
  BULK_QUERY_MS,
  DEFAULT_QUERY_MS,
  inBulk,
  isQueryTimeout,
  limitQueries,
  withQueryLimits,
  type QueryLimits,
} from './query-limits';
export type { BackupRule, BackupRules } from './backup/backup-rules';
export { BACKUP_STATE, splitDocuments, StoreBackup } from './backup/store-backup';
export {
  ProjectRestore,
  readDocument,
  RestoredIds,
  type BackedUpDocument,
  type ProjectRule,
  type ProjectRules,
  type ProjectWrite,
  type RestoredId,
} from './backup/project-restore';
export { duplicatesIn, isDuplicateKey, pauseAfter, retried } from './writes/retry';
export {
  counterSchema,
  documentSchema,
  nullable,
  objectSchema,
  optional,
  optionalNullable,
  required,
  typed,
  type CounterDocument,
  type DocumentOf,
  type Field,
} from './schema';
