import { fieldErrors } from '@parlance/errors';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;
/** No list is longer; a page behind it is empty, whatever its number. */
const MAX_SKIP = 10_000_000;
/** No name is longer. */
const MAX_SEARCHED = 150;
const MAX_FOUND = 100;

/** A page of a list: its number from 1, how many items it has, and how many come before it. */
export interface PageWish {
  page: number;
  size: number;
  skip: number;
}

/**
 * Which page of a list a request asks for; what it leaves out (0) is the first, of the usual size.
 * @throws INVALID on fields page and page_size
 */
export function pageOf(
  request: { page: number; pageSize: number } | null,
  { defaultSize = DEFAULT_PAGE_SIZE, maxSize = MAX_PAGE_SIZE } = {},
): PageWish {
  const page = request?.page || 1;
  const size = request?.pageSize || defaultSize;
  if (!Number.isSafeInteger(page) || page < 1)
    throw fieldErrors([{ attr: 'page', code: 'invalid', detail: 'Pages count from 1.' }]);
  if (!Number.isSafeInteger(size) || size < 1 || size > maxSize)
    throw fieldErrors([{ attr: 'page_size', code: 'invalid', detail: `A page has 1 to ${maxSize} items.` }]);
  return { page, size, skip: Math.min((page - 1) * size, MAX_SKIP) };
}

/** An id that a request has to name. @throws INVALID on the field */
export function requireId(value: number, attr: string): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw fieldErrors([{ attr, code: 'invalid', detail: 'An id must be a positive whole number.' }]);
  return value;
}

/**
 * What a search by names looks for, and how many of each kind it may find.
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
