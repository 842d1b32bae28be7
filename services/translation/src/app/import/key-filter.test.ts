import { measureHold } from '@parlance/testing';
import { KeyFilter, KeyFilterError, matchKeys } from './key-filter';

const unit = (context: string) => ({ context });

describe('key_filter', () => {
  it('A key is imported when the expression matches it', async () => {
    expect(await matchKeys(['app.title', 'internal.x', 'appendix'], '^app')).toEqual([true, false, true]);
  });

  it('A catastrophic expression over many long keys blocks the event loop no longer than a simple one', async () => {
    const keys = Array.from({ length: 2_000 }, (_, i) => `${'a'.repeat(1_000)}${i}!`);
    const once = async (expression: string): Promise<number> => {
      const { result, heldMs } = await measureHold(() => matchKeys(keys, expression));
      expect(result).not.toContain(true);
      return heldMs;
    };
    /** Garbage collection only adds to the time, so the best of three runs. */
    const longest = async (expression: string): Promise<number> =>
      Math.min(await once(expression), await once(expression), await once(expression));
    const control = await longest('^b[0-9]$');
    expect(await longest('^(a+)+[0-9]*$')).toBeLessThan(10 * Math.max(control, 10));
  });

  it('An expression outside RE2 syntax is rejected with an error that names key_filter', async () => {
    const refused = expect(matchKeys(['a'], '^(?!internal)')).rejects;
    await refused.toThrow(KeyFilterError);
    await expect(matchKeys(['a'], '(')).rejects.toThrow('"key_filter" is not a valid regular expression');
  });

  it('Each key is matched only once during an import', async () => {
    const filter = new KeyFilter();
    expect(await filter.keep([unit('a'), unit('b')], '^a+$')).toEqual([unit('a')]);
    expect(await filter.keep([unit('b'), unit('a')], 'none')).toEqual([unit('a')]);
  });
});
