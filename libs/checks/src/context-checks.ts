/**
 * Checks that need other units, history, statistics or a glossary. They are pure functions of that data. The caller
 * decides when to load it.
 */

/** Another unit with the same source and context in the project and language. */
export interface Sibling {
  target: readonly string[];
  state: number;
}

const sameForms = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((form, index) => form === right[index]);

/** `inconsistent`: another unit with this source has a different translation, or only one of the units is translated. */
export function isInconsistent(unit: Sibling, siblings: readonly Sibling[]): boolean {
  const translated = unit.state > 0;
  return siblings.some(
    (other) => other.state > 0 !== translated || (translated && !sameForms(unit.target, other.target)),
  );
}

/**
 * `reused`: a unit with another source has the same translation. Languages with one plural form are exempt, because
 * different sources often share a translation there.
 *
 * @param others units of the project and language with the same target; sources are compared without case and outer spaces
 */
export function isReused(
  unit: { source: readonly string[]; target: readonly string[] },
  others: readonly { source: readonly string[]; target: readonly string[] }[],
  pluralForms: number,
): boolean {
  if (pluralForms <= 1 || unit.target.every((form) => form.trim() === '')) return false;
  const key = (source: readonly string[]): string => source.map((form) => form.trim().toLowerCase()).join('\u001e');
  const own = key(unit.source);
  return others.some((other) => sameForms(unit.target, other.target) && key(other.source) !== own);
}

/** History actions that end the search for an earlier translation. */
const SOURCE_CHANGE = 30;
const MARKED_FOR_EDIT = 37;

/** Lowest state of a translated unit. */
const TRANSLATED = 20;

/**
 * `translated`: the unit is untranslated or needs editing, but had another translation since the last source change or
 * the last time it was marked as needing editing.
 *
 * @param unit state and text, with plural forms joined as in the history
 * @param history content changes, newest first
 */
export function wasTranslated(
  unit: { state: number; text: string },
  history: readonly { action: number; target: string }[],
): boolean {
  if (unit.state >= TRANSLATED) return false;
  // The newest "marked for edit" entry of the current text describes the current state, so the search continues.
  let present = true;
  for (const change of history) {
    const same = change.target === unit.text;
    if (change.action === MARKED_FOR_EDIT && present && same) present = false;
    else if (change.action === SOURCE_CHANGE || change.action === MARKED_FOR_EDIT) return false;
    else if (!same && change.target.trim() !== '') return true;
  }
  return false;
}

/** `multiple_failures`: two or more translations of the source unit have a failing check. */
export function failsInSeveralLanguages(failingTranslations: number): boolean {
  return failingTranslations >= 2;
}

const OLD_AFTER = 90 * 24 * 3600 * 1000;

/**
 * `long_untranslated`: older than 90 days, and translated into less than half the average share of languages in the
 * component. Shares are 0 to 1, times are in milliseconds.
 */
export function isLongUntranslated(
  unit: { added: number; translatedShare: number },
  componentShare: number,
  now: number,
): boolean {
  return now - unit.added > OLD_AFTER && unit.translatedShare < componentShare / 2;
}

/** A glossary entry with all its translations into the unit's language. */
export interface GlossaryTerm {
  source: string;
  targets: readonly string[];
  /** The translations are prohibited. */
  forbidden?: boolean;
  /** The term stays untranslated: its source is the only accepted translation. */
  readOnly?: boolean;
}

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(char);

/** Whether the term occurs as whole words, ignoring case. Scripts without spaces have no word boundaries. */
const occurs = (text: string, term: string): boolean => termOccurrence(text, term, 0) >= 0;

/** Index of the first occurrence of a term from `start` on, in the lower-cased text; -1 if there is none. See `occurs`. */
export function termOccurrence(text: string, term: string, start: number): number {
  const [haystack, needle] = [text.toLowerCase(), term.trim().toLowerCase()];
  if (needle === '') return -1;
  const spaced = !/[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/.test(needle);
  for (let index = haystack.indexOf(needle, start); index >= 0; index = haystack.indexOf(needle, index + 1)) {
    if (!spaced || (!isLetter(haystack[index - 1]) && !isLetter(haystack[index + needle.length]))) return index;
  }
  return -1;
}

/**
 * `check_glossary`: sources of the terms that the translation violates, because it uses no accepted translation or a
 * forbidden one. Inflected forms are accepted if they contain the term's translation.
 */
export function disregardedTerms(
  unit: { source: readonly string[]; target: readonly string[] },
  terms: readonly GlossaryTerm[],
): string[] {
  const source = unit.source.join('\n');
  const target = unit.target.join('\n').toLowerCase();
  const wanted = new Map<string, { accepted: string[]; forbidden: string[] }>();
  for (const term of terms) {
    if (!occurs(source, term.source)) continue;
    const key = term.source.toLowerCase();
    const entry = wanted.get(key) ?? { accepted: [], forbidden: [] };
    wanted.set(key, entry);
    if (term.forbidden) entry.forbidden.push(...term.targets);
    else entry.accepted.push(...(term.readOnly ? [term.source] : term.targets));
  }
  const disregarded: string[] = [];
  for (const [source, { accepted, forbidden }] of wanted) {
    const usable = accepted.filter((text) => text.trim() !== '');
    const missing = usable.length > 0 && !usable.some((text) => target.includes(text.trim().toLowerCase()));
    if (missing || forbidden.some((text) => occurs(target, text))) disregarded.push(source);
  }
  return disregarded;
}
