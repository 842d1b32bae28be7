import { stemOf } from '../text/stems';
import type { Extent } from './span';

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(char);

/** Index of the first occurrence of a term as whole words from `start` on; -1 if there is none. @param text in lower case */
function occurrence(text: string, { lower, isSpaced }: Term, start: number): number {
  if (lower === '') return -1;
  for (let index = text.indexOf(lower, start); index >= 0; index = text.indexOf(lower, index + 1)) {
    if (!isSpaced || (!isLetter(text[index - 1]) && !isLetter(text[index + lower.length]))) return index;
  }
  return -1;
}

interface Word extends Extent {
  stem: string;
}

const wordsOf = (text: string, language: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    stem: stemOf(word, language),
  }));

/** A term as it is looked for. */
interface Term {
  /** Stems of its words; none if it is more than words, because stems do not tell C from C++. */
  stems: readonly string[];
  lower: string;
  /** Scripts without spaces have no word boundaries. */
  isSpaced: boolean;
}

/** Terms of a language that are kept. */
const MAX_KNOWN = 20_000;
const known = new Map<string, Map<string, Term>>();

function termOf(text: string, language: string): Term {
  let ofLanguage = known.get(language);
  if (!ofLanguage) known.set(language, (ofLanguage = new Map<string, Term>()));
  let term = ofLanguage.get(text);
  if (!term) {
    const isPlain = !/[^\p{L}\p{M}\p{N}_\s\u00ad\u2010-\u2015'’-]/u.test(text);
    const lower = text.trim().toLowerCase();
    term = {
      stems: isPlain ? wordsOf(text, language).map(({ stem }) => stem) : [],
      lower,
      isSpaced: !/[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/.test(lower),
    };
    if (ofLanguage.size >= MAX_KNOWN) ofLanguage.clear();
    ofLanguage.set(text, term);
  }
  return term;
}

/** The stems of the words of a term as one text; the term itself in lower case if it is more than words. */
export function stemsOf(text: string, language: string): string {
  const { stems, lower } = termOf(text, language);
  return stems.length > 0 ? stems.join(' ') : lower;
}

/** Characters that may separate the words of a term. */
const isGap = (text: string): boolean => /^[\s\u00ad\u2010-\u2015'’-]{1,3}$/.test(text);

/**
 * Finds glossary terms in a text in any of their inflected forms: words with the stems of the term's words in its order. Terms with
 * punctuation and terms in scripts without spaces are found as they are written.
 */
export class TermFinder {
  private readonly words: readonly Word[];
  private readonly lower: string;
  private readonly places = new Map<string, number[]>();

  constructor(
    private readonly text: string,
    private readonly language: string,
  ) {
    this.words = wordsOf(text, language);
    this.lower = text.toLowerCase();
    this.words.forEach(({ stem }, i) => {
      const known = this.places.get(stem);
      if (known) known.push(i);
      else this.places.set(stem, [i]);
    });
  }

  /** Occurrences in text order. */
  find(text: string): Extent[] {
    const term = termOf(text, this.language);
    const found = this.inflected(term.stems);
    for (const exact of this.exact(text.trim(), term))
      if (!found.some(({ start, end }) => start < exact.end && exact.start < end)) found.push(exact);
    return found.sort((a, b) => a.start - b.start);
  }

  /** Whether the term occurs. */
  has(text: string): boolean {
    return this.inflected(termOf(text, this.language).stems).length > 0 || this.hasExact(text);
  }

  /** Whether the term occurs as it is written, ignoring case. */
  hasExact(text: string): boolean {
    return occurrence(this.lower, termOf(text, this.language), 0) >= 0;
  }

  private exact({ length }: string, term: Term): Extent[] {
    // Lower case may have another length; then offsets do not carry over.
    if (this.lower.length !== this.text.length || term.lower.length !== length) return [];
    const found: Extent[] = [];
    for (let at = occurrence(this.lower, term, 0); at >= 0; at = occurrence(this.lower, term, at + length))
      found.push({ start: at, end: at + length });
    return found;
  }

  private inflected(wanted: readonly string[]): Extent[] {
    const found: Extent[] = [];
    for (const first of this.places.get(wanted[0] ?? '') ?? []) {
      const last = first + wanted.length - 1;
      const fits = wanted.every(
        (stem, i) =>
          this.words[first + i]?.stem === stem &&
          (i === 0 || isGap(this.text.slice(this.words[first + i - 1]!.end, this.words[first + i]!.start))),
      );
      if (fits) found.push({ start: this.words[first]!.start, end: this.words[last]!.end });
    }
    return found;
  }
}
