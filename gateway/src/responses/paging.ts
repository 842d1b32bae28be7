import { notFound } from './errors';

/** How many items a page of a list has. */
export interface PageRule {
  default: number;
  max: number;
}

/** Pages of unit lists and of component statistics. */
export const unitPages: PageRule = { default: 100, max: 10_000 };

/** A page as it was asked for. */
export interface PageRequest {
  page: number | 'last';
  pageSize: number;
}

/** Pages beyond this place cannot exist; asking services for them would overflow their numbers. */
const LAST_PLACE = 2_000_000_000;

/** @throws NOT_FOUND when `page` is no page number */
export function readPage(query: URLSearchParams, rule: PageRule): PageRequest {
  const size = query.get('page_size');
  let pageSize = rule.default;
  if (size !== null && /^\d{1,15}$/.test(size) && Number(size) > 0) pageSize = Math.min(Number(size), rule.max);
  const asked = query.get('page');
  if (asked === null || asked === '') return { page: 1, pageSize };
  if (asked === 'last') return { page: 'last', pageSize };
  if (!/^\d{1,10}$/.test(asked) || Number(asked) < 1 || Number(asked) * pageSize > LAST_PLACE)
    throw notFound('This is no valid page.');
  return { page: Number(asked), pageSize };
}

/** One page and how many items there are in all. */
export interface Page<T> {
  items: T[];
  total: number;
}

/**
 * Fetches the page that was asked for; the last one takes a second call when it is not the first.
 * @throws NOT_FOUND beyond the end
 */
export async function fetchPage<T>(
  request: PageRequest,
  fetch: (page: { page: number; pageSize: number }) => Promise<Page<T>>,
): Promise<Page<T> & { page: number }> {
  const page = request.page === 'last' ? 1 : request.page;
  const first = await fetch({ page, pageSize: request.pageSize });
  const pages = Math.max(1, Math.ceil(first.total / request.pageSize));
  if (request.page === 'last' && pages > 1)
    return { ...(await fetch({ page: pages, pageSize: request.pageSize })), page: pages };
  if (page > pages) throw notFound('This is no valid page.');
  return { ...first, page };
}

/** Cuts a page out of a whole list, for lists that a service gives as a whole. */
export function pageOf<T>(all: readonly T[]): (page: { page: number; pageSize: number }) => Promise<Page<T>> {
  return ({ page, pageSize }) =>
    Promise.resolve({ items: all.slice((page - 1) * pageSize, page * pageSize), total: all.length });
}

/** The envelope of a list. `address` is the list's own, without a query. */
export function envelope<T>(
  address: string,
  query: URLSearchParams,
  page: number,
  pageSize: number,
  total: number,
  results: T[],
) {
  const to = (n: number): string => {
    const params = new URLSearchParams(query);
    if (n === 1) params.delete('page');
    else params.set('page', String(n));
    const text = params.toString();
    return text ? `${address}?${text}` : address;
  };
  return {
    count: total,
    next: page * pageSize < total ? to(page + 1) : null,
    previous: page > 1 ? to(page - 1) : null,
    results,
  };
}
