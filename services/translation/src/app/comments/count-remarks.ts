import { LOST_RACE } from '@parlance/store-kit';
import type { AgingStore, Clock, UnitReader, UnitWriter } from '../../domain/ports';
import { timeAfter } from '../../domain/unit';
import type { ChangeDraft } from '../history';
import { updateStored } from '../edit/contention';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';

export interface CountRemarksDeps extends WriteUnitsDeps, Clock {
  units: Pick<UnitReader, 'get'> & UnitWriter;
}

/**
 * Writes the number of stored suggestions or comments to their unit, after one was added, changed or removed. It writes even if the number is
 * the same: a writer that counted before this change then loses its race and counts again.
 * @param changes history entries, recorded with the number
 */
export async function countRemarks(
  deps: CountRemarksDeps,
  field: 'suggestions' | 'comments',
  store: Pick<AgingStore<unknown>, 'countNewer'>,
  unitId: number,
  changes: readonly ChangeDraft[],
): Promise<void> {
  await updateStored(deps, unitId, async (unit) => {
    const now = deps.now();
    const patch = { [field]: await store.countNewer(unit.id, 0), updated: timeAfter(unit, now) };
    const written = await writeUnit(deps, { unit, patch, changes: [...changes] }, { author: null, time: now });
    return written ? undefined : LOST_RACE;
  });
}
