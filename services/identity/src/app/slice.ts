import { fieldErrors } from '@parlance/errors';
import type { Slice } from '../domain/ports';

const DEFAULT_PAGE = 50;
const MAX_PAGE = 1000;
const MAX_SKIP = 10_000_000;

/** Turns a page by number into a part of a list. @throws INVALID on fields page and page_size */
export function sliceOf(page: { page: number; pageSize: number } | null): Slice {
  const number = page?.page || 1;
  const limit = page?.pageSize || DEFAULT_PAGE;
  if (number < 1) throw fieldErrors([{ attr: 'page', code: 'invalid', detail: 'Pages are counted from 1.' }]);
  if (limit < 1 || limit > MAX_PAGE) {
    const detail = `A page has 1 to ${MAX_PAGE} items.`;
    throw fieldErrors([{ attr: 'page_size', code: 'invalid', detail }]);
  }
  return { skip: Math.min((number - 1) * limit, MAX_SKIP), limit };
}
