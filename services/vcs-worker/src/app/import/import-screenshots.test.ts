import { compileMask } from '@parlance/patterns';

describe('screenshot masks', () => {
  it.each([
    ['docs/*.png', 'docs/menu.png', true],
    ['docs/*.png', 'docs/a/menu.png', false],
    ['docs/*/shot-*.png', 'docs/cs/shot-1.png', true],
    ['docs/*.png', 'docs/menuxpng', false],
    ['a+b/*', 'a+b/c', true],
    ['a+b/*', 'aab/c', false],
  ])('the screenshot mask %s matches %s: %s', (mask, path, matches) => {
    expect(compileMask(mask).test(path)).toBe(matches);
  });
});
