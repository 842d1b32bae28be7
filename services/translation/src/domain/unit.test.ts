import fc from 'fast-check';
import { contentHash, idHash, isBlank, sameForms, sameTexts, textKey, timeAfter } from './unit';

describe('identity of strings', () => {
  it('the hashes of stored strings never change: another value would make every string a new one', () => {
    expect(idHash(true, 'greeting', ['Hello'])).toBe('-6847750197336574618');
    expect(idHash(false, 'greeting', ['Hello'])).toBe('1012410644395319669');
    expect(textKey(['Hello'])).toBe(8_725_671_957_198_428);
  });

  it('a string of a monolingual file is identified by its key, others by context and source', () => {
    expect(idHash(true, 'key', ['Hello'])).toBe(idHash(true, 'key', ['Bye']));
    expect(idHash(false, 'key', ['Hello'])).not.toBe(idHash(false, 'key', ['Bye']));
    expect(idHash(false, 'key', ['Hello'])).not.toBe(idHash(false, '', ['Hello']));
    expect(idHash(false, 'key', ['Hello'])).toBe(contentHash('key', ['Hello']));
  });

  it('the borders between plural forms and the context are part of the identity', () => {
    const hashes = [
      contentHash('', ['Day', 'Days']),
      contentHash('', ['DayDays']),
      contentHash('Days', ['Day']),
      contentHash('', ['Day', 'Days', '']),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(textKey(['a', 'b'])).not.toBe(textKey(['ab']));
  });

  it('hashes fit their types: 64 bits with a sign, and integers that are exact', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (context, texts) => {
        expect(BigInt.asIntN(64, BigInt(contentHash(context, texts))).toString()).toBe(contentHash(context, texts));
        expect(Number.isSafeInteger(textKey(texts))).toBe(true);
      }),
    );
  });
});

describe('timeAfter', () => {
  it('the time of a write is later than that of the last one, also when this clock is behind', () => {
    expect(timeAfter({ updated: 1_000 }, 5_000)).toBe(5_000);
    expect(timeAfter({ updated: 1_000 }, 1_000)).toBe(1_001);
    expect(timeAfter({ updated: 9_000 }, 5_000)).toBe(9_001);
  });
});

describe('comparison of texts', () => {
  it('texts are the same when all forms are equal, in number and order', () => {
    expect(sameTexts(['a', 'b'], ['a', 'b'])).toBe(true);
    for (const other of [['a'], ['a', 'b', ''], ['b', 'a']]) expect(sameTexts(['a', 'b'], other)).toBe(false);
  });

  it('trailing empty forms, which come and go with the header of a file, make no difference', () => {
    expect(sameForms(['a'], ['a', '', ''])).toBe(true);
    expect(sameForms([''], [])).toBe(true);
    expect(sameForms(['', 'b'], ['b'])).toBe(false);
    expect(sameForms(['a', '', 'c'], ['a', 'c'])).toBe(false);
  });

  it('a text is missing when every form is empty; white space is a text', () => {
    expect([[], [''], ['', '']].map(isBlank)).toEqual([true, true, true]);
    expect([['', 'b'], [' ']].map(isBlank)).toEqual([false, false]);
  });
});
