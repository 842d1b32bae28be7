/** Numbers by name, as font descriptions use them. */
const WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['thin', 100],
  ['ultralight', 200],
  ['extralight', 200],
  ['light', 300],
  ['normal', 400],
  ['regular', 400],
  ['medium', 500],
  ['semibold', 600],
  ['demibold', 600],
  ['bold', 700],
  ['ultrabold', 800],
  ['extrabold', 800],
  ['heavy', 900],
  ['black', 900],
]);

/** `Noto Sans Mono`, `noto-sans_mono` and `NotoSansMono` name one family. Letters of all scripts count. */
export const familyKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** A weight from 100 to 900 by its number or name; 400 for unknown ones. */
export function weightOf(name: string): number {
  const given = /^\d{3}$/.test(name.trim()) ? Number(name) : WEIGHTS.get(familyKey(name));
  return given === undefined ? 400 : Math.min(900, Math.max(100, given));
}
