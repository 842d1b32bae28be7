import type { common, events } from '@parlance/contracts';
import { columnOfExtra } from '../domain/counters';
import { countersToMessage, snapshotFromMessage } from './snapshot-message';

const tally = (strings: number): common.Tally__Output => ({ strings, words: strings * 2, chars: strings * 3 });

const counters: common.Counters__Output = {
  all: tally(1),
  translated: tally(2),
  fuzzy: tally(3),
  approved: tally(4),
  readonly: tally(5),
  failing: tally(6),
  suggestions: tally(7),
  comments: tally(8),
  checks: 9,
  contentChanges: 10,
  recentChanges: 0,
  lastChangeMs: 12,
  lastAuthor: 'Ann',
  lastAuthorId: 13,
  translationIds: 1,
};

const event = (given: common.Counters__Output | null): events.TranslationUpdated__Output => {
  const known: Partial<events.TranslationUpdated__Output> = {
    translationId: 1,
    componentId: 2,
    projectId: 3,
    languageCode: 'cs',
    revision: 4,
    counters: given,
  };
  return known as events.TranslationUpdated__Output;
};

describe('counters of an event', () => {
  it('every counter of an event appears unchanged in a response', () => {
    // Gateways set the recent changes.
    expect({ recentChanges: 0, ...countersToMessage(snapshotFromMessage(event(counters)).counters) }).toEqual(counters);
  });

  it('missing counters are zero', () => {
    const { counters: read, ...snapshot } = snapshotFromMessage(event(null));
    expect(snapshot).toEqual({ translationId: 1, componentId: 2, projectId: 3, languageCode: 'cs', revision: 4 });
    expect([...(read.added as number[])].filter((n) => n !== 0)).toEqual([1]);
    expect(read.added[columnOfExtra('translationIds')]).toBe(1);
    expect(read).toMatchObject({ lastChange: 0, lastAuthor: '', lastAuthorId: 0 });
  });
});
