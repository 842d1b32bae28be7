import type { Neighbours } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import type { DriverCollection } from '../collection';
import type { UnitDocument } from '../schemas/unit';
import { unitsOf } from './unit-document';

/** Units that are read around a position; several may have the same one. */
const MAX_CLOSE = 100;
/** Ids that are read on each side beyond the wanted units: deleted units leave gaps. */
const SPARE_IDS = 3;

type Place = Pick<Unit, 'id' | 'translation' | 'position'>;

/**
 * The units nearest to a unit in its file, at most `count` on each side. Units that were imported together have ids in file order, and an
 * index finds ids; positions have no index, because one more over all units slows imports down. Of units that share a position, those
 * with distant ids may be missing.
 */
export async function listAround(
  collection: DriverCollection<UnitDocument>,
  unit: Place,
  count: number,
): Promise<Neighbours> {
  return (await aroundId(collection, unit, count)) ?? aroundPosition(collection, unit, count);
}

/** Neighbours by id; null where their positions do not show that they are neighbours in the file, too. */
async function aroundId(
  collection: DriverCollection<UnitDocument>,
  { id, translation, position }: Place,
  count: number,
): Promise<Neighbours | null> {
  const reach = count + SPARE_IDS;
  const close = await collection
    .find({ translation, _id: { $gte: id - reach, $lte: id + reach } }, { projection: { outbox: 0 } })
    .sort({ _id: 1 })
    .toArray();
  const before = close.filter((d) => d._id < id).slice(-count);
  const after = close.filter((d) => d._id > id).slice(0, count);
  // The lowest position is 0 or 1.
  const isStart = before.length < count && (before[0]?.position ?? position) <= 1;
  const isConsecutive =
    (before.length === count || isStart) &&
    after.length === count &&
    before.every((d, i) => d.position === position - before.length + i) &&
    after.every((d, i) => d.position === position + 1 + i);
  return isConsecutive ? { before: unitsOf(before), after: unitsOf(after) } : null;
}

/** Neighbours by position, which reads all units of the translation. */
async function aroundPosition(
  collection: DriverCollection<UnitDocument>,
  { translation, position }: Place,
  count: number,
): Promise<Neighbours> {
  const read = (range: object, direction: 1 | -1, limit: number) =>
    collection
      .find({ translation, position: range }, { projection: { outbox: 0 } })
      .sort({ position: direction, _id: direction })
      .limit(limit)
      .toArray();
  // Positions have few gaps: one query mostly finds both sides.
  const close = await read({ $gte: position - count, $lte: position + count }, 1, MAX_CLOSE);
  const [before, after] = [
    close.filter((d) => d.position < position).slice(-count),
    close.filter((d) => d.position > position).slice(0, count),
  ];
  const isWhole = close.length < MAX_CLOSE;
  const [nearestBefore, nearestAfter] = await Promise.all([
    isWhole && (before.length === count || position - count <= 0)
      ? before
      : read({ $lt: position }, -1, count).then((found) => found.reverse()),
    isWhole && after.length === count ? after : read({ $gt: position }, 1, count),
  ]);
  return { before: unitsOf(nearestBefore), after: unitsOf(nearestAfter) };
}
