import type { SourceSummary } from '../../domain/ports';
import { State } from '../../domain/unit';
import type { DriverCollection } from '../collection';
import type { UnitDocument } from '../schemas/unit';

/** Translation progress of the source strings of the translations that a filter selects. */
export async function summarize(collection: DriverCollection<UnitDocument>, filter: object): Promise<SourceSummary[]> {
  const found = await collection
    .aggregate<Omit<SourceSummary, 'sourceUnit'> & { _id: number }>([
      { $match: filter },
      {
        $group: {
          _id: '$sourceUnit',
          translations: { $sum: 1 },
          translated: { $sum: { $cond: [{ $gte: ['$state', State.translated] }, 1, 0] } },
          failing: { $sum: { $cond: [{ $gt: [{ $size: { $ifNull: ['$checks', []] } }, 0] }, 1, 0] } },
        },
      },
    ])
    .toArray();
  return found.map(({ _id, ...rest }) => ({ sourceUnit: _id, ...rest }));
}
