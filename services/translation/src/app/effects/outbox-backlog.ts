import type { AnnouncementBacklog, UnitBacklog } from '../../domain/ports';

/**
 * Effects of writes that other services have not learnt of: outbox items whose effects are incomplete, and translations whose event could
 * not be published.
 * @param before younger outbox items are in progress, milliseconds since the epoch
 * @param limit bound of each count
 */
export async function outboxBacklog(
  { units, announcementMarks }: { units: UnitBacklog; announcementMarks: AnnouncementBacklog },
  before: number,
  limit: number,
): Promise<{ events: number; oldestMs: number | undefined }> {
  const [items, marks] = await Promise.all([
    units.measureUnprocessed(before, limit),
    announcementMarks.measureUnannounced(limit),
  ]);
  const times = [items.oldest, marks.oldest].filter((time) => time !== undefined);
  return {
    events: items.count + marks.count,
    oldestMs: times.length === 0 ? undefined : Math.min(...times),
  };
}
