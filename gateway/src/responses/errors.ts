import { toServiceError, reasons, ServiceError, type FieldProblem } from '@parlance/errors';

/** Body of every error response: the documented `detail`, and the list that existing clients read. */
export interface ErrorBody {
  detail: string;
  type: 'validation_error' | 'client_error' | 'server_error';
  errors: FieldProblem[];
}

/** An error as HTTP response. */
export interface HttpError {
  status: number;
  body: ErrorBody;
  headers: Record<string, string>;
}

/** Maximum number of problems in a response. */
const MAX_PROBLEMS = 100;

/** Converts an error to a response. Errors other than ServiceError are outages or defects; their text is not disclosed. */
export function presentError(error: unknown): HttpError {
  const known = toServiceError(error);
  const { http, code, type } = known.info;
  const hidden = known.reason === 'INTERNAL';
  const message = hidden ? reasons.INTERNAL.message : known.message;
  const problems =
    known.problems.length > 0 && !hidden
      ? known.problems.slice(0, MAX_PROBLEMS)
      : [{ attr: null, code, detail: message }];
  const headers: Record<string, string> = {};
  if (http === 401) headers['WWW-Authenticate'] = 'Token';
  if (http === 503) headers['Retry-After'] = '5';
  if (http === 429) headers['Retry-After'] = String(known.retryAfterSeconds ?? 1);
  return { status: http, body: { detail: problems.map((p) => p.detail).join(' '), type, errors: problems }, headers };
}

/** 404: missing and hidden objects are indistinguishable. */
export function notFound(message?: string): ServiceError {
  return new ServiceError('NOT_FOUND', { message });
}
