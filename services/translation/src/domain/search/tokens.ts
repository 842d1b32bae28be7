import { ownRegExp } from '@parlance/patterns';

/**
 * Words of texts. Texts are folded first: lower case, then upper case, because only then all forms of a letter are equal. A word is a run
 * of letters, digits and marks. Runs of scripts without spaces between words are split into bigrams, and so are very long words.
 */
const SPACELESS =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}]';
const RUNS = ownRegExp(`(?<spaceless>${SPACELESS}+)|(?:(?!${SPACELESS})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** Length of the longest word that is indexed as a whole, in UTF-16 code units. */
export const MAX_WORD = 64;

/** Precedes the bigrams of very long words. */
export const LONG = '\u0001';
/** Precedes tokens of words with letters whose case variants the fold and the store treat differently, for example "ß". */
export const IRREGULAR = '\u0002';

const fold = (text: string): string => text.toLowerCase().toUpperCase();

let regularity: Uint8Array | undefined;

/** Whether a character equals its upper case or the lower case of it, and has no other variants of the same length. */
function isRegularCharacter(character: string): boolean {
  const upper = fold(character);
  return Array.from(upper).length === 1 && (character === upper || character === upper.toLowerCase());
}

/** Whether the fold equates the text only with the texts that a case-insensitive comparison equates it with. */
export function isRegular(text: string): boolean {
  if (/^[\0-\x7f]*$/.test(text)) return true;
  regularity ??= Uint8Array.from({ length: 0x10000 }, (_, code) =>
    Number(isRegularCharacter(String.fromCharCode(code))),
  );
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 0x10000 ? regularity[code] === 0 : !isRegularCharacter(character)) return false;
  }
  return true;
}

function* bigramsOf(run: string): Generator<string> {
  const characters = Array.from(run);
  if (characters.length === 1) yield run;
  for (let at = 1; at < characters.length; at++) yield characters[at - 1]! + characters[at]!;
}

/** Adds the tokens under which the index lists a text. */
export function addTokens(text: string, tokens: Set<string>): void {
  // Folding neither creates nor removes white space.
  for (const part of text.split(/\s+/)) {
    const prefix = isRegular(part) ? '' : IRREGULAR;
    for (const { 0: run, groups } of fold(part).matchAll(RUNS)) {
      if (groups!['spaceless']) for (const bigram of bigramsOf(run)) tokens.add(prefix + bigram);
      else if (run.length <= MAX_WORD) tokens.add(prefix + run);
      else for (const bigram of bigramsOf(run)) tokens.add(prefix + LONG + bigram);
    }
  }
}

/** Selects units by their tokens. */
export interface TokenTest {
  /** Tokens that contain, start with, end with or equal the text; ignores `IRREGULAR`. */
  at: 'anywhere' | 'start' | 'end' | 'whole';
  /** Null: no token. */
  text: string | null;
  /** Alternative: the unit has all of these tokens. Empty: no alternative. */
  orAll: readonly string[];
}

/** A condition that texts which contain a given text meet: all tests succeed. */
export interface TokenCondition {
  tests: readonly TokenTest[];
  /** Regular tokens of the only test are contained in exactly the texts that contain the given one. */
  exact: boolean;
}

/** A test for a part of a text without separators; `at`: its place in a word. */
function testOf(at: TokenTest['at'], run: string): TokenTest {
  const characters = Array.from(run).length;
  // In very long words, only bigrams are indexed. Shorter texts than that are found within the bigrams.
  if (at !== 'whole' && characters <= 2) return { at: 'anywhere', text: run, orAll: [] };
  const text = run.length <= MAX_WORD ? run : null;
  const mayBeLong = text === null || at !== 'whole';
  return { at, text, orAll: mayBeLong ? [...bigramsOf(run)].map((bigram) => LONG + bigram) : [] };
}

function spacelessTests(run: string): TokenTest[] {
  const at = Array.from(run).length === 1 ? 'anywhere' : 'whole';
  return [...bigramsOf(run)].map((text) => ({ at, text, orAll: [] }));
}

/** @returns null when the text contains no word, so that the index cannot restrict the units */
export function conditionOf(text: string): TokenCondition | null {
  const folded = fold(text);
  const runs = [...folded.matchAll(RUNS)];
  if (runs.length === 0) return null;
  const tests = runs.flatMap(({ 0: run, index, groups }): TokenTest[] => {
    if (groups!['spaceless']) return spacelessTests(run);
    const starts = index > 0;
    const ends = index + run.length < folded.length;
    return [testOf(starts ? (ends ? 'whole' : 'start') : ends ? 'end' : 'anywhere', run)];
  });
  const whole = runs.length === 1 && runs[0]![0] === folded && tests.length === 1;
  return { tests, exact: whole && tests[0]!.text !== null && isRegular(text) };
}
