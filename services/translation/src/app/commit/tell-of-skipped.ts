import { Action } from '../../domain/change';
import type { PendingEdit, Unit } from '../../domain/unit';
import { writeUnit } from '../edit/write-units';
import { changeOf, historyText } from '../history';
import type { Deps } from '../deps';
import type { Rendered } from './apply-edits';

type Needed = Pick<Deps, 'units' | 'effects' | 'ids' | 'newcomers' | 'now'>;

/** Puts into the history that edits cannot be written to their file; each is told of once, however often that is tried. */
export async function tellOfSkipped(parts: Needed, skipped: Rendered['skipped']): Promise<void> {
  for (const { unit: id, edit, reason } of skipped) await tell(parts, id, edit, reason);
}

async function tell(parts: Needed, id: number, editId: string, reason: string): Promise<void> {
  // A removal has no unit, and what was edited or committed since is no longer what could not be written.
  for (let unit: Unit | null = await parts.units.get(id); unit; unit = await parts.units.get(id)) {
    const edit: PendingEdit | undefined = unit.edits.find((one) => one.id === editId);
    if (!edit || edit.refused) return;
    const edits = unit.edits.map((one) => (one === edit ? { ...one, refused: true } : one));
    const time = parts.now();
    const details = { reason, source: historyText(unit.source), context: unit.context };
    const old = historyText(unit.stored?.target ?? []);
    const change = changeOf(unit, edit.author, time, Action.saveFailed, historyText(edit.target), old, details);
    if (await writeUnit(parts, { unit, patch: { edits }, changes: [change] }, { author: null, time })) return;
  }
}
