import type { Change as FileChange, FormatUnit } from '@parlance/formats';
import { isBlank, sameForms, sameTexts } from '../../domain/unit';
import type { Conflict } from './conflicts';
import { parseFile, unitsByKey, type FileLanguage, type FileSettings } from '../commit/apply-edits';

/** Three versions of a file of a translation. */
export interface MergedVersions {
  component: FileSettings;
  translation: { id: number; language: FileLanguage };
  base: Buffer;
  local: Buffer;
  upstream: Buffer;
}

/**
 * Merges three versions of a translation file string by string. The result is upstream's file with the strings that only the local
 * side changed, with all that stands beside those it alone has; where both sides changed a string differently the local text is
 * kept and the conflict is answered. No text of upstream gives way to none, unless only the local side removed the string.
 * @throws FormatError when one of the versions cannot be read
 */
export function mergeFile({ component, translation, base, local, upstream }: MergedVersions): {
  bytes: Buffer;
  conflicts: Conflict[];
} {
  const monolingual = component.template !== '';
  const { language } = translation;
  const theirs = parseFile(component, language, upstream);
  const was =
    base.length === 0 ? new Map<string, FormatUnit>() : unitsByKey(parseFile(component, language, base), monolingual);
  const ours = unitsByKey(parseFile(component, language, local), monolingual);
  const now = unitsByKey(theirs, monolingual);
  const changes: FileChange[] = [];
  const conflicts: Conflict[] = [];
  const conflictOf = ({ context, source }: FormatUnit, kept: readonly string[], upstream: FormatUnit): Conflict => ({
    translation: translation.id,
    unit: 0,
    context,
    source: [...source],
    local: [...kept],
    upstream: [...upstream.target],
  });
  for (const [key, unit] of ours) {
    const before = was.get(key);
    if (before && sameTexts(before.target, unit.target) && before.state === unit.state) continue;
    const other = now.get(key);
    if (!other) {
      // Upstream removed a string that was there before: its text stays in the history. A string that only we have is added.
      if (!before)
        changes.push({
          op: 'add',
          context: unit.context,
          source: unit.source,
          target: unit.target,
          state: unit.state,
          note: unit.note,
          location: unit.location,
          flags: unit.flags,
        });
      continue;
    }
    if (sameTexts(other.target, unit.target) && other.state === unit.state) continue;
    const theyChanged = !before || !sameForms(before.target, other.target);
    const weChanged = !before || !sameTexts(before.target, unit.target);
    if (theyChanged && (!weChanged || (isBlank(unit.target) && !isBlank(other.target)))) continue;
    changes.push({ op: 'set', index: other.index, target: unit.target, state: unit.state });
    if (theyChanged && weChanged && !sameForms(other.target, unit.target)) {
      conflicts.push(conflictOf(unit, unit.target, other));
    }
  }
  for (const [key, before] of was) {
    const other = now.get(key);
    if (!other || ours.has(key)) continue;
    if (sameForms(before.target, other.target)) changes.push({ op: 'remove', index: other.index });
    // The text that upstream gave it meanwhile stays.
    else conflicts.push(conflictOf(before, [], other));
  }
  return { bytes: changes.length === 0 ? upstream : theirs.apply(changes, local), conflicts };
}
