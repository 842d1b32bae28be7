import type { ImportMarks } from './component';
import { NO_AUTHOR, withStateEdit } from './pending';
import { isBlank, sameTexts, State, type Author, type Unit } from './unit';

/**
 * Marks an imported text as needing editing, with the pending edit that writes the mark to the file.
 * @param unit as the file has it
 * @returns null when the text is not to be marked
 */
export function importMark(
  marks: ImportMarks | undefined,
  unit: Pick<Unit, 'isSource' | 'source' | 'target' | 'state'>,
  isNew: boolean,
  by: Author | null,
  now: number,
): Pick<Unit, 'state' | 'edits' | 'stored'> | null {
  if (!marks || isBlank(unit.target) || unit.state < State.translated || unit.state === State.readonly) return null;
  const wanted = unit.isSource
    ? isNew && marks.newSources
    : (isNew ? marks.newTexts : marks.changedTexts) || (marks.sameTexts && sameTexts(unit.target, unit.source));
  if (!wanted) return null;
  const edit = { target: unit.target, state: State.fuzzy, author: by ?? NO_AUTHOR, time: now };
  return { state: State.fuzzy, ...withStateEdit({ edits: [] }, { target: unit.target, state: unit.state }, edit) };
}
