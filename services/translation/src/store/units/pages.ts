import type { Page, PageOptions } from '../../domain/ports';
import type { DriverCollection } from '../collection';
import type { UnitDocument } from '../schemas/unit';

export interface PageBounds {
  filter: object;
  page: number;
  size: number;
}

/** A page of the units that a filter selects, by id. */
export async function readUnitPage(
  collection: DriverCollection<UnitDocument>,
  { filter, page, size }: PageBounds,
  projection: object,
  { known, countFirst }: PageOptions = {},
): Promise<Page<UnitDocument>> {
  const counting = known ?? collection.countDocuments(filter);
  if (countFirst) {
    const total = await counting;
    if (total <= (page - 1) * size) return { items: [], total };
  }
  const cursor = collection
    .find(filter, { projection })
    .sort({ _id: 1 })
    .skip((page - 1) * size)
    .limit(size);
  const [items, total] = await Promise.all([cursor.toArray(), counting]);
  return { items, total };
}
