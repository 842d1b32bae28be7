import { notFound } from './errors';

/** Page sizes of a list. */
export interface PageRule {
  default: number;
  max: number;
}

/** Page sizes of unit lists and component statistics. */
export const unitPages: PageRule = { default: 100, max: 10_000 };

/** A requested page. */
export interface PageRequest {
  page: number | 'last';
  pageSize: number;
}

/** Maximum offset; larger ones would overflow the integers of services. */
const LAST_PLACE = 2_000_000_000;

/** @throws NOT_FOUND if `page` is not a page number */
export function readPage(query: URLSearchParams, rule: PageRule): PageRequest {
  const size = query.get('page_size');
  let pageSize = rule.default;
  if (size !== null && /^\d{1,15}$/.test(size) && Number(size) > 0) pageSize = Math.min(Number(size), rule.max);
  const asked = query.get('page');
  if (asked === null || asked === '') return { page: 1, pageSize };
  if (asked === 'last') return { page: 'last', pageSize };
  if (!/^\d{1,10}$/.test(asked) || Number(asked) < 1 || Number(asked) * pageSize > LAST_PLACE)
    throw notFound('Invalid page.');
  return { page: Number(asked), pageSize };
}

/** One page and the total number of items. */
export interface Page<T> {
  items: T[];
  total: number;
}

/**
 * Fetches the requested page; the last page requires a second call unless it is the first.
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
  if (page > pages) throw notFound('Invalid page.');
  return { ...first, page };
}

/** Cuts a page from a complete list, for lists that a service returns as a whole. */
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
