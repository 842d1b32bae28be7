import type { Change as FileChange, FormatUnit } from '@parlance/formats';
import { isBlank, sameForms, sameTexts } from '../../domain/unit';
import type { Conflict } from './conflicts';
import { parseFile, unitsByKey, type FileLanguage, type FileSettings } from '../commit/parsed-files';

/** Input of a three-way merge of a translation file. */
export interface FileVersions {
  component: FileSettings;
  translation: { id: number; language: FileLanguage };
  base: Buffer;
  local: Buffer;
  upstream: Buffer;
}

/**
 * Three-way merge of a translation file, string by string. The result is the upstream file with the strings that the local side added,
 * changed or removed. Where both sides changed a string, the local text wins and a conflict is returned. An upstream text is never
 * replaced by an empty one, unless only the local side cleared the text.
 * @throws FormatError when one of the versions is invalid
 */
export function mergeFile({ component, translation, base, local, upstream }: FileVersions): {
  bytes: Buffer;
  conflicts: Conflict[];
} {
  const monolingual = component.template !== '';
  const { language } = translation;
  const upstreamFile = parseFile(component, language, upstream);
  const baseUnits =
    base.length === 0 ? new Map<string, FormatUnit>() : unitsByKey(parseFile(component, language, base), monolingual);
  const localUnits = unitsByKey(parseFile(component, language, local), monolingual);
  const upstreamUnits = unitsByKey(upstreamFile, monolingual);
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
  for (const [key, unit] of localUnits) {
    const before = baseUnits.get(key);
    if (before && sameTexts(before.target, unit.target) && before.state === unit.state) continue;
    const other = upstreamUnits.get(key);
    if (!other) {
      // A string missing from the base was added locally. Otherwise upstream removed it; its text stays in the history.
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
    const upstreamChanged = !before || !sameForms(before.target, other.target);
    const localChanged = !before || !sameTexts(before.target, unit.target);
    if (upstreamChanged && (!localChanged || (isBlank(unit.target) && !isBlank(other.target)))) continue;
    changes.push({ op: 'set', index: other.index, target: unit.target, state: unit.state });
    if (upstreamChanged && localChanged && !sameForms(other.target, unit.target)) {
      conflicts.push(conflictOf(unit, unit.target, other));
    }
  }
  for (const [key, before] of baseUnits) {
    const other = upstreamUnits.get(key);
    if (!other || localUnits.has(key)) continue;
    if (sameForms(before.target, other.target)) changes.push({ op: 'remove', index: other.index });
    // Deleted locally, changed upstream: the upstream text stays.
    else conflicts.push(conflictOf(before, [], other));
  }
  return { bytes: changes.length === 0 ? upstream : upstreamFile.apply(changes, local), conflicts };
}
