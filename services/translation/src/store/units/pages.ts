import { listTotal } from '@parlance/store-kit';
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
  { known, count = 'meanwhile' }: PageOptions = {},
): Promise<Page<UnitDocument>> {
  const skip = (page - 1) * size;
  const total = async () => known ?? collection.countDocuments(filter);
  const read = () => collection.find(filter, { projection }).sort({ _id: 1 }).skip(skip).limit(size).toArray();
  if (count === 'before') {
    const counted = await total();
    return { items: counted > skip ? await read() : [], total: counted };
  }
  if (count === 'after') {
    const items = await read();
    return { items, total: await listTotal({ skip, size, found: items.length }, total) };
  }
  const [items, counted] = await Promise.all([read(), total()]);
  return { items, total: counted };
}
