import type { ServiceError } from '@parlance/errors';

/** The header of a page that asks to wait. */
export function retryAfter({ retryAfterSeconds }: ServiceError): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
}
