import type { Author } from '../../domain/unit';

export interface ImportOptions {
  author: Author | null;
  /** Translations without a file in the import are removed. */
  complete: boolean;
  /** First import of a new component. */
  initial: boolean;
  /** A user uploaded the files. */
  upload: boolean;
}
