import type { Snapshot } from './counters';

/** A component or project known from events. */
export interface KnownObject {
  kind: 'component' | 'project';
  id: number;
  /** Project of a component; for a project, its own id. */
  projectId: number;
}

/** An entry of the store, read at startup. */
export type StoredFact =
  | { fact: 'snapshot'; snapshot: Snapshot }
  | { fact: 'removedTranslation'; id: number }
  | { fact: 'object'; object: KnownObject }
  | { fact: 'removedObject'; object: KnownObject };

/**
 * Stores the newest counters of every translation. Writes are idempotent and commutative: a snapshot replaces only an
 * older one, and removals are final.
 */
export interface SnapshotStore {
  save(snapshots: readonly Snapshot[]): Promise<void>;
  addObjects(objects: readonly KnownObject[]): Promise<void>;
  removeTranslations(ids: readonly number[]): Promise<void>;
  /** Removes components or projects with their translations. */
  removeObjects(objects: readonly KnownObject[]): Promise<void>;
  /** All entries, removals before snapshots. */
  load(): AsyncIterable<StoredFact>;
}
