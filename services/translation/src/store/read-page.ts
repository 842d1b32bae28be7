import type { CountedPages } from '@parlance/store-kit';
import type { Page } from '../domain/ports';
import type { DriverCollection } from './collection';

/** A page of the documents that a filter selects, ordered by id. */
export function readPage<D>(
  pages: CountedPages,
  collection: DriverCollection<D>,
  filter: object,
  { page, size }: { page: number; size: number },
  options: { projection?: object } = {},
): Promise<Page<D>> {
  const skip = (page - 1) * size;
  return pages.read(
    { filter, skip, size },
    () => collection.find(filter, options).sort({ _id: 1 }).skip(skip).limit(size).toArray(),
    () => collection.countDocuments(filter),
  );
}
