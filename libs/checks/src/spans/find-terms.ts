import { termOccurrence } from '../context-checks';
import { stemOf } from '../text/stems';
import type { Extent } from './span';

/** Occurrences of a glossary term in a text, as `check_glossary` finds them. */
export function findTerm(text: string, term: string): Extent[] {
  const { length } = term.trim();
  // Lower case may have another length; then offsets do not carry over.
  if (text.toLowerCase().length !== text.length || term.trim().toLowerCase().length !== length) return [];
  const found: Extent[] = [];
  for (let start = termOccurrence(text, term, 0); start >= 0; start = termOccurrence(text, term, start + length))
    found.push({ start, end: start + length });
  return found;
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

/** What may stand between the words of a term. */
const isGap = (text: string): boolean => /^[\s\u00ad\u2010-\u2015'’-]{1,3}$/.test(text);

/**
 * Finds glossary terms in a text in any of their inflected forms: words with the stems of the term's words in its order. Terms that are found
 * as they are written, such as those with punctuation or in scripts without spaces, are found as `check_glossary` does.
 */
export class TermFinder {
  private readonly words: readonly Word[];
  private readonly places = new Map<string, number[]>();

  constructor(
    private readonly text: string,
    private readonly language: string,
  ) {
    this.words = wordsOf(text, language);
    this.words.forEach(({ stem }, i) => {
      const known = this.places.get(stem);
      if (known) known.push(i);
      else this.places.set(stem, [i]);
    });
  }

  /** Occurrences in text order. */
  find(term: string): Extent[] {
    const wanted = wordsOf(term, this.language);
    // The stem does not tell C from C++.
    const isPlain = wanted.length > 0 && !/[^\p{L}\p{M}\p{N}_\s\u00ad\u2010-\u2015'’-]/u.test(term);
    const found = isPlain ? this.inflected(wanted) : [];
    for (const exact of findTerm(this.text, term))
      if (!found.some(({ start, end }) => start < exact.end && exact.start < end)) found.push(exact);
    return found.sort((a, b) => a.start - b.start);
  }

  private inflected(wanted: readonly Word[]): Extent[] {
    const found: Extent[] = [];
    for (const first of this.places.get(wanted[0]!.stem) ?? []) {
      const last = first + wanted.length - 1;
      const fits = wanted.every(
        ({ stem }, i) =>
          this.words[first + i]?.stem === stem &&
          (i === 0 || isGap(this.text.slice(this.words[first + i - 1]!.end, this.words[first + i]!.start))),
      );
      if (fits) found.push({ start: this.words[first]!.start, end: this.words[last]!.end });
    }
    return found;
  }
}
