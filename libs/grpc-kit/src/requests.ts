import type { Caller } from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;
/** Maximum length of lists. Pages beyond it are empty. */
const MAX_SKIP = 10_000_000;
/** Maximum length of names. */
const MAX_SEARCHED = 150;
const MAX_FOUND = 100;

/** A page of a list: 1-based number, size, and number of preceding items. */
export interface RequestedPage {
  page: number;
  size: number;
  skip: number;
}

/**
 * The requested page of a list. Missing values (0) default to the first page of the default size.
 * @throws INVALID on fields page and page_size
 */
export function pageOf(
  request: { page: number; pageSize: number } | null,
  { defaultSize = DEFAULT_PAGE_SIZE, maxSize = MAX_PAGE_SIZE } = {},
): RequestedPage {
  const page = request?.page || 1;
  const size = request?.pageSize || defaultSize;
  if (!Number.isSafeInteger(page) || page < 1)
    throw fieldErrors([{ attr: 'page', code: 'invalid', detail: 'Pages count from 1.' }]);
  if (!Number.isSafeInteger(size) || size < 1 || size > maxSize)
    throw fieldErrors([{ attr: 'page_size', code: 'invalid', detail: `A page has 1 to ${maxSize} items.` }]);
  return { page, size, skip: Math.min((page - 1) * size, MAX_SKIP) };
}

/** @throws PERMISSION_DENIED unless the caller is a service */
export function requireService(caller: Caller): void {
  if (!caller.service) throw new ServiceError('PERMISSION_DENIED');
}

/** A required id of a request. @throws INVALID on the field */
export function requireId(value: number, attr: string): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw fieldErrors([{ attr, code: 'invalid', detail: 'An id must be a positive whole number.' }]);
  return value;
}

/**
 * Validates the text of a search by name and its limit per kind.
 * @throws INVALID on fields text and limit
 */
export function searchOf(request: { text: string; limit: number }): { text: string; limit: number } {
  const { text, limit } = request;
  if (text === '' || text.length > MAX_SEARCHED) {
    const detail = `A text of 1 to ${MAX_SEARCHED} characters is needed.`;
    throw fieldErrors([{ attr: 'text', code: 'invalid', detail }]);
  }
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_FOUND)
    throw fieldErrors([{ attr: 'limit', code: 'invalid', detail: `From 1 to ${MAX_FOUND} can be asked for.` }]);
  return { text, limit };
}
