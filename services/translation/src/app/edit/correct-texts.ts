import { autofix, stripControlCharacters, type Flags } from '@parlance/checks';
import type { Unit } from '../../domain/unit';

/** Applies the automatic corrections of new texts. Source strings only lose control characters. */
export function correctTexts(unit: Unit, texts: readonly string[], flags: Flags): string[] {
  if (unit.isSource) return texts.map((text) => stripControlCharacters(text, ''));
  return autofix(unit.source, texts, flags, unit.language).target;
}
