import { KeyFilterError, matchKeys } from './key-filter';

describe('expressions over keys', () => {
  it('say which keys fit', () => {
    expect(matchKeys(['app.title', 'internal.x', 'appendix'], '^(?!internal)')).toEqual([true, false, true]);
  });

  it('end when they take too long', () => {
    expect(() => matchKeys([`${'a'.repeat(60)}!`], '^(a+)+$')).toThrow(KeyFilterError);
  });
});
