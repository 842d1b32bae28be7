import type { Page, PageRequest } from '../../../src/domain/ports';

/** A page of items that are sorted already. */
export function page<T>(items: T[], pageRequest: PageRequest): Page<T> {
  return { items: items.slice(pageRequest.skip, pageRequest.skip + pageRequest.limit), total: items.length };
}
