import { createRequire } from 'node:module';

interface Stemmer {
  stem(word: string): string;
}

/** The library has no types. It is loaded on first use, because most processes need no stems. */
const newStemmer = (algorithm: string): Stemmer =>
  (createRequire(__filename)('snowball-stemmers') as { newStemmer(name: string): Stemmer }).newStemmer(algorithm);

/** Snowball algorithms by primary language subtag. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  hy: 'armenian',
  eu: 'basque',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  hu: 'hungarian',
  it: 'italian',
  ga: 'irish',
  no: 'norwegian',
  nb: 'norwegian',
  nn: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  es: 'spanish',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};

/** Longer words have no inflections worth the time of a stemmer. */
const MAX_WORD = 60;
/** Words whose stems are kept for a language. */
const MAX_KNOWN = 20_000;

/** Makes stems of the words of a language, with a cache. */
class Stems {
  private readonly known = new Map<string, string>();

  constructor(private readonly stemmer: Stemmer) {}

  of(word: string): string {
    let stem = this.known.get(word);
    if (stem === undefined) {
      stem = this.stemmer.stem(word);
      if (this.known.size >= MAX_KNOWN) this.known.clear();
      this.known.set(word, stem);
    }
    return stem;
  }
}

const stems = new Map<string, Stems>();

/** The stem of a word in lower case; the word itself in languages without a stemmer. */
export function stemOf(word: string, language: string): string {
  const lower = word.toLowerCase();
  const algorithm = ALGORITHMS[/^[a-z]+/i.exec(language)?.[0].toLowerCase() ?? ''];
  if (algorithm === undefined || lower.length > MAX_WORD) return lower;
  let ofLanguage = stems.get(algorithm);
  if (!ofLanguage) stems.set(algorithm, (ofLanguage = new Stems(newStemmer(algorithm))));
  return ofLanguage.of(lower);
}
