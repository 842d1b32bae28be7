import { isServiceError, reasons, ServiceError, type FieldProblem } from '@parlance/errors';

/** The body of every answer that is not a success: the document's `detail` beside the list that clients of the live API read. */
export interface ErrorBody {
  detail: string;
  type: 'validation_error' | 'client_error' | 'server_error';
  errors: FieldProblem[];
}

/** An error as it goes over HTTP. */
export interface HttpError {
  status: number;
  body: ErrorBody;
  headers: Record<string, string>;
}

/** Problems that an answer lists; the first ones are enough to go on. */
const MAX_PROBLEMS = 100;

/** Presents an error. What is not a ServiceError is a defect: its text stays inside. */
export function presentError(error: unknown): HttpError {
  const known = isServiceError(error) ? error : new ServiceError('INTERNAL');
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
  if (http === 429) headers['Retry-After'] = '1';
  return { status: http, body: { detail: problems.map((p) => p.detail).join(' '), type, errors: problems }, headers };
}

/** 404: missing and invisible objects look the same. */
export function notFound(message?: string): ServiceError {
  return new ServiceError('NOT_FOUND', { message });
}
