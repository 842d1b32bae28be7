import { Action } from '../../domain/change';
import type { PendingEdit, Unit } from '../../domain/unit';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';
import { changeOf, historyText } from '../history';
import type { Rendered } from './apply-edits';
import type { Clock, UnitReader, UnitWriter } from '../../domain/ports';

export interface RecordSkippedDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter;
}

/** Puts into the history that edits cannot be written to their file; each is told of once, however often that is tried. */
export async function recordSkipped(deps: RecordSkippedDeps, skipped: Rendered['skipped']): Promise<void> {
  for (const { unit: id, edit, reason } of skipped) await recordOne(deps, id, edit, reason);
}

async function recordOne(deps: RecordSkippedDeps, id: number, editId: string, reason: string): Promise<void> {
  // A removal has no unit, and what was edited or committed since is no longer what could not be written.
  for (let unit: Unit | null = await deps.units.get(id); unit; unit = await deps.units.get(id)) {
    const edit: PendingEdit | undefined = unit.edits.find((one) => one.id === editId);
    if (!edit || edit.refused) return;
    const edits = unit.edits.map((one) => (one === edit ? { ...one, refused: true } : one));
    const time = deps.now();
    const details = { reason, source: historyText(unit.source), context: unit.context };
    const old = historyText(unit.stored?.target ?? []);
    const change = changeOf(unit, edit.author, time, Action.saveFailed, historyText(edit.target), old, details);
    if (await writeUnit(deps, { unit, patch: { edits }, changes: [change] }, { author: null, time })) return;
  }
}
