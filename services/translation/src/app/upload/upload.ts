import type { Component } from '../../domain/component';
import type { Translation } from '../../domain/translation';
import type { AllowedUpload } from './upload-rules';

/** What became of the entries of a file; those that say nothing (no text, left out by the fuzzy rule) are only in `total`. */
export interface UploadResult {
  accepted: number;
  skipped: number;
  notFound: number;
  total: number;
}

/** One upload with all that decides about it. */
export interface Upload extends AllowedUpload {
  component: Component;
  translation: Translation;
  /** Milliseconds since the epoch. */
  now: number;
}
