import type { Author } from '../../domain/unit';

export interface ImportOptions {
  author: Author | null;
  /** Translations without a file in the import are removed. */
  complete: boolean;
  /** First import of a new component. */
  initial: boolean;
  /** A user uploaded the files. */
  upload: boolean;
  /**
   * Called before the import writes. Throws if the import must stop: its caller has disconnected, or another worker took the repository
   * over and may have imported newer files.
   */
  requireCurrent: () => Promise<void>;
}
