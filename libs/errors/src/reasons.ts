import { status } from '@grpc/grpc-js';

/** Representation of a reason on each transport. */
export interface ReasonInfo {
  /** gRPC status that carries it between services. */
  readonly grpc: status;
  /** HTTP status of the public API. */
  readonly http: number;
  /** `code` in the public API's error body. */
  readonly code: string;
  /** `type` in the public API's error body. */
  readonly type: 'validation_error' | 'client_error' | 'server_error';
  /** Default message. */
  readonly message: string;
}

const client = 'client_error';

/** The closed list of reasons for which a request fails. */
export const reasons = {
  /** At least one field is invalid; the problems name them. */
  INVALID: {
    grpc: status.INVALID_ARGUMENT,
    http: 400,
    code: 'invalid',
    type: 'validation_error',
    message: 'The request has invalid values.',
  },
  /** The body does not match its content type. */
  PARSE_ERROR: {
    grpc: status.INVALID_ARGUMENT,
    http: 400,
    code: 'parse_error',
    type: client,
    message: 'The body could not be read.',
  },
  NOT_AUTHENTICATED: {
    grpc: status.UNAUTHENTICATED,
    http: 401,
    code: 'not_authenticated',
    type: client,
    message: 'Sign-in is required.',
  },
  AUTHENTICATION_FAILED: {
    grpc: status.UNAUTHENTICATED,
    http: 401,
    code: 'authentication_failed',
    type: client,
    message: 'The token is not valid.',
  },
  PERMISSION_DENIED: {
    grpc: status.PERMISSION_DENIED,
    http: 403,
    code: 'permission_denied',
    type: client,
    message: 'You are not allowed to do this.',
  },
  /** Missing or invisible to the caller. The answer does not reveal which. */
  NOT_FOUND: { grpc: status.NOT_FOUND, http: 404, code: 'not_found', type: client, message: 'Not found.' },
  METHOD_NOT_ALLOWED: {
    grpc: status.UNIMPLEMENTED,
    http: 405,
    code: 'method_not_allowed',
    type: client,
    message: 'This method is not allowed here.',
  },
  NOT_ACCEPTABLE: {
    grpc: status.INVALID_ARGUMENT,
    http: 406,
    code: 'not_acceptable',
    type: client,
    message: 'None of the accepted content types is available.',
  },
  /** The body arrives too slowly. */
  REQUEST_TIMEOUT: {
    grpc: status.DEADLINE_EXCEEDED,
    http: 408,
    code: 'request_timeout',
    type: client,
    message: 'The body did not arrive in time.',
  },
  /** A concurrent request changed the object between reading and writing. */
  CONFLICT: {
    grpc: status.ABORTED,
    http: 409,
    code: 'conflict',
    type: client,
    message: 'The object was changed meanwhile.',
  },
  TOO_LARGE: {
    grpc: status.OUT_OF_RANGE,
    http: 413,
    code: 'too_large',
    type: client,
    message: 'The body is too large.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    grpc: status.INVALID_ARGUMENT,
    http: 415,
    code: 'unsupported_media_type',
    type: client,
    message: 'This content type is not supported.',
  },
  /** The component does not accept edits. */
  LOCKED: {
    grpc: status.FAILED_PRECONDITION,
    http: 403,
    code: 'permission_denied',
    type: client,
    message: 'The component is locked.',
  },
  /** The object is in a state that does not allow the request. */
  FAILED_PRECONDITION: {
    grpc: status.FAILED_PRECONDITION,
    http: 400,
    code: 'invalid',
    type: client,
    message: 'The request does not fit the state of the object.',
  },
  THROTTLED: {
    grpc: status.RESOURCE_EXHAUSTED,
    http: 429,
    code: 'throttled',
    type: client,
    message: 'Too many requests.',
  },
  /** The memory budget of the process for all requests is exhausted. A retry may succeed. */
  OVERLOADED: {
    grpc: status.RESOURCE_EXHAUSTED,
    http: 503,
    code: 'overloaded',
    type: 'server_error',
    message: 'Too much is being processed at the moment. Retry the request.',
  },
  /** The installation is read-only. */
  MAINTENANCE: {
    grpc: status.UNAVAILABLE,
    http: 503,
    code: 'maintenance',
    type: 'server_error',
    message: 'The installation is read-only for maintenance.',
  },
  INTERNAL: {
    grpc: status.INTERNAL,
    http: 500,
    code: 'error',
    type: 'server_error',
    message: 'Something went wrong on our side.',
  },
  UNAVAILABLE: {
    grpc: status.UNAVAILABLE,
    http: 503,
    code: 'unavailable',
    type: 'server_error',
    message: 'A part of the service is not available.',
  },
  DEADLINE_EXCEEDED: {
    grpc: status.DEADLINE_EXCEEDED,
    http: 504,
    code: 'timeout',
    type: 'server_error',
    message: 'The request took too long.',
  },
} as const satisfies Record<string, ReasonInfo>;

export type Reason = keyof typeof reasons;
