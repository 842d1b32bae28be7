import type { common } from '@parlance/contracts';
import { timestamp } from '../../responses/links';

type Counters = common.Counters__Output;
type Tally = common.Tally__Output;
const none: Tally = { strings: 0, words: 0, chars: 0 };

/** Percentage truncated to tenths, never 0 for a nonzero part and never 100 for an incomplete one. */
export function percent(part: number, total: number, whenEmpty = 0): number {
  if (total === 0) return whenEmpty;
  if (part === 0) return 0;
  if (part >= total) return 100;
  return Math.min(99.9, Math.max(0.1, Math.floor((1000 * part) / total) / 10));
}

/** Identifies the counted object. */
export interface Named {
  name?: string;
  code?: string;
  url?: string;
  translateUrl?: string;
  /** An empty object counts as fully approved (with reviews, or outside of a project), otherwise as fully translated. */
  review?: boolean;
}

function group(name: string, tally: Tally, all: Tally, whenEmpty: number) {
  return {
    [name]: tally.strings,
    [`${name}_percent`]: percent(tally.strings, all.strings, whenEmpty),
    [`${name}_words`]: tally.words,
    [`${name}_words_percent`]: percent(tally.words, all.words, whenEmpty),
    [`${name}_chars`]: tally.chars,
    [`${name}_chars_percent`]: percent(tally.chars, all.chars, whenEmpty),
  };
}

/** The statistics object. Keys that clients spell differently than the documentation are present in both spellings. */
export function presentStatistics(counters: Counters, named: Named): Record<string, unknown> {
  const all = counters.all ?? none;
  const readonly = counters.readonly ?? none;
  const failing = counters.failing ?? none;
  const { recentChanges } = counters;
  return {
    total: all.strings,
    total_words: all.words,
    total_chars: all.chars,
    last_change: timestamp(counters.lastChangeMs),
    recent_changes: recentChanges,
    ...group('translated', counters.translated ?? none, all, named.review ? 0 : 100),
    ...group('fuzzy', counters.fuzzy ?? none, all, 0),
    failing: failing.strings,
    failing_percent: percent(failing.strings, all.strings),
    ...group('approved', counters.approved ?? none, all, named.review ? 100 : 0),
    ...group('readonly', readonly, all, 0),
    readonly_char_percent: percent(readonly.chars, all.chars),
    suggestions: counters.suggestions?.strings ?? 0,
    comments: counters.comments?.strings ?? 0,
    last_author: counters.lastAuthor || null,
    ...(named.code === undefined ? {} : { code: named.code }),
    ...(named.name === undefined ? {} : { name: named.name }),
    ...(named.url === undefined ? {} : { url: named.url }),
    ...(named.translateUrl === undefined
      ? {}
      : { translate_url: named.translateUrl, url_translate: named.translateUrl }),
  };
}

export const noCounters: Counters = {
  all: none,
  translated: none,
  fuzzy: none,
  approved: none,
  readonly: none,
  failing: none,
  suggestions: none,
  comments: none,
  checks: 0,
  lastChangeMs: 0,
  lastAuthor: '',
  contentChanges: 0,
  recentChanges: 0,
  lastAuthorId: 0,
  translationIds: 0,
};
