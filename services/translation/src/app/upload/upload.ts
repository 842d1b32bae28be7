import type { Component } from '../../domain/component';
import type { Translation } from '../../domain/translation';
import type { AllowedUpload } from './upload-rules';

/** Counts of entries. Entries without a text, or skipped by the fuzzy rule, are included in `total` only. */
export interface UploadResult {
  accepted: number;
  skipped: number;
  notFound: number;
  total: number;
}

export interface Upload extends AllowedUpload {
  component: Component;
  translation: Translation;
  /** Milliseconds since the epoch. */
  now: number;
}
