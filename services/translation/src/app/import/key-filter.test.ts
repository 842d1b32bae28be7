import { KeyFilter, KeyFilterError, matchKeys } from './key-filter';

const slow = { keys: [`${'a'.repeat(60)}!`], expression: '^(a+)+$' };
const unit = (context: string) => ({ context });

describe('expressions over keys', () => {
  it('say which keys fit', async () => {
    expect(await matchKeys(['app.title', 'internal.x', 'appendix'], '^(?!internal)')).toEqual([true, false, true]);
  });

  it('end when they take too long, and hold up nobody else', async () => {
    let served = 0;
    const others = setInterval(() => served++, 1);
    const next = expect(matchKeys(slow.keys, slow.expression)).rejects.toThrow(KeyFilterError);
    expect(await matchKeys(['b'], 'b')).toEqual([true]);
    clearInterval(others);
    await next;
    expect(served).toBeGreaterThan(10);
  });

  it('are not tried again on the other files of an import', async () => {
    const filter = new KeyFilter();
    expect(await filter.keep([unit('a'), unit('b')], '^a+$')).toEqual([unit('a')]);
    // Known keys are not looked at again, whatever the expression.
    expect(await filter.keep([unit('b'), unit('a')], 'none')).toEqual([unit('a')]);
    const [failed] = await Promise.allSettled([filter.keep(slow.keys.map(unit), slow.expression)]);
    expect(failed).toMatchObject({ status: 'rejected' });
    await expect(filter.keep([unit('a')], '^a+$')).rejects.toThrow(KeyFilterError);
  });
});
