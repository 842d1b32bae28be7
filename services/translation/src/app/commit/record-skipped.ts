import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import type { PendingEdit } from '../../domain/unit';
import { updateStored } from '../edit/contention';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';
import { changeOf, historyText } from '../history';
import type { AppliedEdits } from './apply-edits';
import type { Clock, UnitReader, UnitWriter } from '../../domain/ports';

export interface RecordSkippedDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter;
}

/** Records in the history that edits cannot be written to their file, once per edit. */
export async function recordSkipped(deps: RecordSkippedDeps, skipped: AppliedEdits['skipped']): Promise<void> {
  for (const { unit: id, edit, reason } of skipped) await recordOne(deps, id, edit, reason);
}

async function recordOne(deps: RecordSkippedDeps, id: number, editId: string, reason: string): Promise<void> {
  // Removals have no unit; an edit that was replaced or committed since needs no entry.
  await updateStored(deps, id, async (unit) => {
    const edit: PendingEdit | undefined = unit.edits.find((one) => one.id === editId);
    if (!edit || edit.refused) return;
    const edits = unit.edits.map((one) => (one === edit ? { ...one, refused: true } : one));
    const time = deps.now();
    const details = { reason, source: historyText(unit.source), context: unit.context };
    const old = historyText(unit.stored?.target ?? []);
    const change = changeOf(unit, edit.author, time, Action.saveFailed, historyText(edit.target), old, details);
    const written = await writeUnit(deps, { unit, patch: { edits }, changes: [change] }, { author: null, time });
    return written ? undefined : LOST_RACE;
  });
}
