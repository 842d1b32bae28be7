/** Properties of a text as a bit mask. `runChecks` skips a check unless source or target has one of its traits. */
export const TRAIT = {
  newline: 1 << 0,
  beginNewline: 1 << 1,
  endNewline: 1 << 2,
  beginSpace: 1 << 3,
  endSpace: 1 << 4,
  doubleSpace: 1 << 5,
  endStop: 1 << 6,
  endColon: 1 << 7,
  endQuestion: 1 << 8,
  endExclamation: 1 << 9,
  endInterrobang: 1 << 10,
  endEllipsis: 1 << 11,
  endSemicolon: 1 << 12,
  kashida: 1 << 13,
  greek: 1 << 14,
  backslashN: 1 << 15,
  zeroWidth: 1 << 16,
  lessThan: 1 << 17,
  repeatedWord: 1 << 18,
  threeDots: 1 << 19,
  doublePunctuation: 1 << 20,
  endThreeDots: 1 << 21,
  openParenthesis: 1 << 22,
} as const;

/** Trait mask of checks that run for all texts. */
export const ANY_TRAIT = -1;

const STOPS = new Set('.。．｡।॥۔։።။។෴᠃᱾꯫꓿꘎');
const COLONS = new Set(':：︓﹕՝፥៖');
const QUESTIONS = new Set('?？؟՞\u037e⸮፧꘏⁇﹖');
const EXCLAMATIONS = new Set('!！՜߹᥄‼﹗');
const SEMICOLONS = new Set(';；؛፤\u037e﹔');

function endTraits(last: string, previous: string, beforePrevious: string): number {
  switch (last) {
    case '.':
      return TRAIT.endStop | (previous === '.' && beforePrevious === '.' ? TRAIT.endThreeDots : 0);
    case '…':
      return TRAIT.endEllipsis;
    case '⁈':
    case '⁉':
    case '‽':
      return TRAIT.endInterrobang;
  }
  const question = QUESTIONS.has(last);
  const exclamation = EXCLAMATIONS.has(last);
  if (question || exclamation) {
    if (question ? EXCLAMATIONS.has(previous) : QUESTIONS.has(previous)) return TRAIT.endInterrobang;
    return (question ? TRAIT.endQuestion : TRAIT.endExclamation) | (SEMICOLONS.has(last) ? TRAIT.endSemicolon : 0);
  }
  if (STOPS.has(last)) return TRAIT.endStop;
  if (COLONS.has(last)) return TRAIT.endColon;
  if (SEMICOLONS.has(last)) return TRAIT.endSemicolon;
  return 0;
}

const isSpaceCode = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x202f || code === 0x3000;

/** Letters and marks. Outside ASCII: all characters except the general and CJK punctuation blocks. */
const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 0xc0 &&
    !(code >= 0x2000 && code <= 0x206f) &&
    !(code >= 0x3000 && code <= 0x303f) &&
    !(code >= 0xff00 && code <= 0xff0f));

/** Presentation forms that contain a tatweel. */
function isKashidaForm(code: number): boolean {
  return (
    (code >= 0xfcf2 && code <= 0xfcf4) ||
    (code >= 0xfe71 && code <= 0xfe7f && (code & 1) === 1 && code !== 0xfe73 && code !== 0xfe75)
  );
}

/** Trait of a letter above U+02FF. */
function letterTrait(code: number): number {
  if (code < 0x400) {
    return code === 0x3b5 || code === 0x393 || code === 0x3b3 || code === 0x3a3 || code === 0x395 ? TRAIT.greek : 0;
  }
  return code === 0x640 || (code >= 0xfcf2 && code <= 0xfe7f && isKashidaForm(code)) ? TRAIT.kashida : 0;
}

/** Trait of a character that is neither a letter nor white space. */
function punctuationTrait(text: string, index: number, code: number, before: number): number {
  switch (code) {
    case 0x2e:
      return before === 0x2e && index > 1 && text.charCodeAt(index - 2) === 0x2e ? TRAIT.threeDots : 0;
    case 0x3c:
      return TRAIT.lessThan;
    case 0x5c:
      return text.charCodeAt(index + 1) === 110 ? TRAIT.backslashN : 0;
    case 0x28:
      return TRAIT.openParenthesis;
    case 0x21:
    case 0x3a:
    case 0x3b:
    case 0x3f:
      return TRAIT.doublePunctuation;
    case 0x200b:
      return TRAIT.zeroWidth;
    default:
      return 0;
  }
}

/** Traits of the first and last characters of a text that is not empty. */
function edgeTraits(text: string, lastSolid: number): number {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  let traits = 0;
  if (first === 10 || first === 13) traits |= TRAIT.beginNewline;
  else if (first === 32) traits |= TRAIT.beginSpace;
  if (last === 10 || last === 13) traits |= TRAIT.endNewline;
  else if (last === 32) traits |= TRAIT.endSpace;
  if (lastSolid < 0) return traits;
  const end = text.charCodeAt(lastSolid);
  // Fast path: no ASCII letter or digit ends a sentence. An end mark among them would need this condition widened.
  if (end < 0x30 || (end > 0x39 && end < 0x41) || end > 0x7f) {
    traits |= endTraits(text[lastSolid]!, text[lastSolid - 1] ?? '', text[lastSolid - 2] ?? '');
  }
  return traits;
}

/** A text with the properties that checks need, found in one pass. */
export class AnalyzedText {
  /** {@link TRAIT} bits. */
  readonly traits: number;
  /** The text is empty or white space. */
  readonly blank: boolean;
  private memo: Map<string, unknown> | undefined;

  constructor(readonly text: string) {
    const length = text.length;
    let traits = 0;
    let wordStart = -1;
    let previousStart = -1;
    let previousEnd = -1;
    let lastSolid = -1;
    let code = 0;
    for (let index = 0; index <= length; index++) {
      const before = code;
      code = index < length ? text.charCodeAt(index) : 32;
      if (code >= 97 && code <= 122) {
        if (wordStart < 0) wordStart = index;
        lastSolid = index;
        continue;
      }
      if (isWordCode(code)) {
        if (wordStart < 0) wordStart = index;
        lastSolid = index;
        if (code > 0x2ff) traits |= letterTrait(code);
        continue;
      }
      if (wordStart >= 0) {
        const size = index - wordStart;
        if (
          size > 1 &&
          previousEnd - previousStart === size &&
          isSpaceCode(text.charCodeAt(wordStart - 1)) &&
          text.startsWith(text.slice(wordStart, index), previousStart)
        ) {
          traits |= TRAIT.repeatedWord;
        }
        previousStart = wordStart;
        previousEnd = index;
        wordStart = -1;
      }
      if (index === length) break;
      if (isSpaceCode(code)) {
        if (code === 32) {
          if (before === 32) traits |= TRAIT.doubleSpace;
        } else if (code === 10 || code === 13) traits |= TRAIT.newline;
        continue;
      }
      lastSolid = index;
      // Only white space may separate the two occurrences of a repeated word.
      previousStart = previousEnd = -1;
      traits |= punctuationTrait(text, index, code, before);
    }
    this.blank = lastSolid < 0;
    if (length > 0) traits |= edgeTraits(text, lastSolid);
    this.traits = traits;
  }

  /** Computes a value derived from the text once per key. */
  memoize<T>(key: string, compute: (text: string) => T): T {
    this.memo ??= new Map();
    if (!this.memo.has(key)) this.memo.set(key, compute(this.text));
    return this.memo.get(key) as T;
  }
}

const CACHE_LIMIT = 20_000;
/** Length limit of cached texts. It bounds the cache to some tens of megabytes. */
const CACHED_LENGTH = 1000;
const sources = new Map<string, AnalyzedText>();

/** Analyzes a source text. Results are cached, because a source is checked once per language. */
export function analyzeSource(text: string): AnalyzedText {
  let source = sources.get(text);
  if (!source) {
    source = new AnalyzedText(text);
    if (text.length > CACHED_LENGTH) return source;
    if (sources.size >= CACHE_LIMIT) sources.clear();
    sources.set(text, source);
  }
  return source;
}

export const hasTrait = (text: AnalyzedText, trait: number): boolean => (text.traits & trait) !== 0;

/** Whether exactly one of two texts has the trait. */
export const differIn = (pair: { source: AnalyzedText; target: AnalyzedText }, trait: number): boolean =>
  ((pair.source.traits ^ pair.target.traits) & trait) !== 0;
