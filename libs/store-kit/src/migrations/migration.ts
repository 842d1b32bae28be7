import type { Connection } from 'mongoose';

/** A step from one schema version to the next. */
export interface Migration {
  /** Short, for operators, metrics and logs. */
  name: string;
  /**
   * Converts at most `limit` documents of the old shape. Repeating it is harmless, and readers accept both shapes.
   * @returns number of converted documents; 0: none has the old shape
   */
  batch(connection: Connection, limit: number): Promise<number>;
}

/** Name of the collection. Backups leave it out: migrations run again after a restore. */
export const SCHEMA_COLLECTION = 'schema_version';
