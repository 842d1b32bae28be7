import { LOST_RACE } from '@parlance/store-kit';
import type { AgingStore, Clock, UnitReader, UnitWriter } from '../../domain/ports';
import { timeAfter, type Unit } from '../../domain/unit';
import type { ChangeDraft } from '../history';
import { updateSerially, type SerialUpdateDeps } from '../edit/contention';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';

export interface CountRemarksDeps extends WriteUnitsDeps, Clock {
  unitMutex: SerialUpdateDeps['unitMutex'];
  units: Pick<UnitReader, 'get'> & UnitWriter;
}

/** A unit as it was read, and the number of its remarks that were read after it. */
export interface CountedRemarks {
  unit: Unit;
  count: number;
}

/**
 * Writes the number of stored suggestions or comments to their unit, after one was added, changed or removed. It writes even if the number is
 * the same: a writer that counted before this change then loses its race and counts again.
 * @param changes history entries, recorded with the number
 * @param counted spares the first attempt to read and count
 * @returns the unit before this write; null when it was deleted
 */
export async function countRemarks(
  deps: CountRemarksDeps,
  field: 'suggestions' | 'comments',
  store: Pick<AgingStore<unknown>, 'countNewer'>,
  unitId: number,
  changes: readonly ChangeDraft[],
  counted?: CountedRemarks,
): Promise<Unit | null> {
  const attempt = async (unit: Unit): Promise<Unit | typeof LOST_RACE> => {
    const now = deps.now();
    const count = unit === counted?.unit ? counted.count : await store.countNewer(unit.id, 0);
    const patch = { [field]: count, updated: timeAfter(unit, now) };
    const written = await writeUnit(deps, { unit, patch, changes: [...changes] }, { author: null, time: now });
    return written ? unit : LOST_RACE;
  };
  return updateSerially(deps, unitId, attempt, counted?.unit);
}
