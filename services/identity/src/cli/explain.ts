import { isServiceError } from '@parlance/errors';

/** Message of an error for the operator. */
export function explain(error: unknown): string {
  if (!isServiceError(error)) return error instanceof Error ? error.message : String(error);
  if (error.reason === 'UNAVAILABLE' || error.reason === 'DEADLINE_EXCEEDED') {
    return 'A service does not answer. Is Parlance running?';
  }
  if (error.problems.length === 0) return error.message;
  return error.problems.map((p) => (p.attr === null ? p.detail : `${p.attr}: ${p.detail}`)).join('\n');
}
