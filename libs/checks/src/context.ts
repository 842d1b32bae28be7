/**
 * Checks that need other units, history, statistics or a glossary. They take that context as plain data, so whoever owns
 * the data decides when to look it up.
 */

/** Another unit with the same source text (and context) in the project and language. */
export interface Sibling {
  target: readonly string[];
  state: number;
}

const sameForms = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((form, index) => form === right[index]);

/** `inconsistent`: another unit of that source is translated otherwise, or only one of them is translated at all. */
export function isInconsistent(unit: Sibling, siblings: readonly Sibling[]): boolean {
  const translated = unit.state > 0;
  return siblings.some(
    (other) => other.state > 0 !== translated || (translated && !sameForms(unit.target, other.target)),
  );
}

/**
 * `reused`: a unit with another source has the same translation. Not for languages with one plural form, where different
 * sources often meet in one text.
 *
 * @param others units of the project and language with the same target; white space and case of sources do not count
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

/** Actions of the change log that end the search for an earlier translation. */
const SOURCE_CHANGE = 30;
const MARKED_FOR_EDIT = 37;

/** State from which on a text counts as a translation. */
const TRANSLATED = 20;

/**
 * `translated`: the unit is no translation now (untranslated, or needs editing), but its history has another text since the source
 * last changed or somebody said that the text needs editing.
 *
 * @param unit its state, and its text as the history has it
 * @param history content changes, newest first
 */
export function wasTranslated(
  unit: { state: number; text: string },
  history: readonly { action: number; target: string }[],
): boolean {
  if (unit.state >= TRANSLATED) return false;
  // That the present text needs editing is no answer to what was there before.
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
export function failsInSeveral(failingTranslations: number): boolean {
  return failingTranslations >= 2;
}

const OLD_AFTER = 90 * 24 * 3600 * 1000;

/**
 * `long_untranslated`: older than 90 days, and translated into less than half as many languages as the component's strings
 * are on average. Shares are 0 to 1, times milliseconds.
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
  /** The translations must not be used. */
  forbidden?: boolean;
  /** The term is never translated: its source is the only right translation. */
  readOnly?: boolean;
}

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(char);

/** Whether the term occurs as whole words, whatever the case; scripts without spaces need no boundary. */
function occurs(text: string, term: string): boolean {
  const [haystack, needle] = [text.toLowerCase(), term.trim().toLowerCase()];
  if (needle === '') return false;
  const spaced = !/[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/.test(needle);
  for (let index = haystack.indexOf(needle); index >= 0; index = haystack.indexOf(needle, index + 1)) {
    if (!spaced || (!isLetter(haystack[index - 1]) && !isLetter(haystack[index + needle.length]))) return true;
  }
  return false;
}

/**
 * `check_glossary`: the sources of the entries that the translation disregards: none of the wanted translations is used, or
 * a forbidden one is. Inflected forms are accepted where they contain the term's translation.
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
