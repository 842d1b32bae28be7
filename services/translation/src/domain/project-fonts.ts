import type { FontWidths } from '@parlance/checks';

/** A font of a project, as checks measure with it. */
export interface StoredFont extends FontWidths {
  project: number;
}

/** Copies of the fonts that projects uploaded, so that checks depend on no other service. */
export interface FontStore {
  /** Ascending. */
  idsOf(project: number): Promise<readonly number[]>;
  ofProject(project: number): Promise<readonly StoredFont[]>;
  put(font: StoredFont): Promise<void>;
  /** Idempotent. */
  remove(id: number): Promise<void>;
  /** Idempotent. */
  removeOfProject(project: number): Promise<void>;
}

/** The service that owns uploaded fonts. */
export interface FontSource {
  /** Null: there is no such font. */
  font(id: number): Promise<StoredFont | null>;
}
