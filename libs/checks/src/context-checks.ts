/**
 * Checks that need other units, history, statistics or a glossary. They are pure functions of that data. The caller
 * decides when to load it.
 */
import type { CheckInput } from './check-input';
import { stemsOf, TermFinder } from './spans/find-terms';

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

type TermCheckInput = Pick<CheckInput, 'source' | 'target' | 'sourceLanguage' | 'targetLanguage'>;

/**
 * `check_glossary`: sources of the terms that the translation violates, because it uses no accepted translation or a forbidden one. Terms and
 * translations count in any inflected form, and an accepted translation also as a part of a word.
 */
export function disregardedTerms(unit: TermCheckInput, terms: readonly GlossaryTerm[]): string[] {
  if (terms.length === 0) return [];
  const source = unit.source.map((text) => new TermFinder(text, unit.sourceLanguage));
  const target = unit.target.map((text) => new TermFinder(text, unit.targetLanguage));
  const wanted = new Map<string, { accepted: string[]; forbidden: string[] }>();
  for (const term of terms) {
    if (!source.some((text) => text.has(term.source))) continue;
    const key = term.source.toLowerCase();
    const entry = wanted.get(key) ?? { accepted: [], forbidden: [] };
    wanted.set(key, entry);
    if (term.forbidden) entry.forbidden.push(...term.targets);
    else entry.accepted.push(...(term.readOnly ? [term.source] : term.targets));
  }
  const texts = unit.target.join('\n').toLowerCase();
  const isUsed = (term: string) => texts.includes(term.trim().toLowerCase()) || target.some((text) => text.has(term));
  const disregarded: string[] = [];
  for (const [key, { accepted, forbidden }] of wanted) {
    const usable = accepted.filter((text) => text.trim() !== '');
    const missing = usable.length > 0 && !usable.some(isUsed);
    // A forbidden form of an accepted word is forbidden as it is written only.
    const stems = new Set(usable.map((text) => stemsOf(text, unit.targetLanguage)));
    const isForbidden = (term: string): boolean =>
      stems.has(stemsOf(term, unit.targetLanguage))
        ? target.some((text) => text.hasExact(term))
        : target.some((text) => text.has(term));
    if (missing || forbidden.some(isForbidden)) disregarded.push(key);
  }
  return disregarded;
}
