import { isImageType, safeFilename } from './image';

describe('file names', () => {
  it.each([
    ['Login page.PNG', 'Login page.png'],
    ['../../etc/passwd', 'passwd.png'],
    ['C:\\Users\\me\\shot.jpeg', 'shot.png'],
    ['a"b\r\nSet-Cookie: x.png', 'a_b__Set-Cookie_ x.png'],
    ['přihlášení.webp', 'přihlášení.png'],
    ['.png', 'screenshot.png'],
    ['', 'screenshot.png'],
    ['x'.repeat(300) + '.png', 'x'.repeat(100) + '.png'],
  ])('the file name %j becomes %j', (given, safe) => expect(safeFilename(given, 'png')).toBe(safe));
});

describe('isImageType', () => {
  it('only types of the table are image types, not names that every object has', () => {
    expect(['image/png', 'image/apng', 'image/svg+xml', 'toString'].map(isImageType)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
