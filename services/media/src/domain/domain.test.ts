import { safeFilename } from './image';
import { sliceOf } from './range';
import { nameProblems } from './screenshot';

describe('byte ranges', () => {
  it.each([
    [10, undefined, { offset: 0, length: 10 }],
    [0, undefined, { offset: 0, length: 0 }],
    [10, { first: 0, last: 3 }, { offset: 0, length: 4 }],
    [10, { first: 4 }, { offset: 4, length: 6 }],
    [10, { first: 4, last: 99 }, { offset: 4, length: 6 }],
    [10, { first: 9, last: 9 }, { offset: 9, length: 1 }],
    [10, { suffix: 3 }, { offset: 7, length: 3 }],
    [10, { suffix: 99 }, { offset: 0, length: 10 }],
    [10, { first: 10 }, undefined],
    [10, { suffix: 0 }, undefined],
    [0, { first: 0 }, undefined],
    [0, { suffix: 5 }, undefined],
  ])('the range of %j bytes %j is %j', (size, range, slice) => expect(sliceOf(size, range)).toEqual(slice));

  it.each([
    {},
    { last: 3 },
    { first: 3, last: 2 },
    { first: -1 },
    { first: 1.5 },
    { suffix: 1, first: 1 },
    { suffix: -1 },
  ])('the range %j is rejected', (range) => {
    expect(() => sliceOf(10, range)).toThrow(RangeError);
  });
});

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

describe('names', () => {
  it.each([
    ['Login page', []],
    ['  ', ['blank']],
    ['', ['blank']],
    ['x'.repeat(201), ['max_length']],
    ['a\nb', ['invalid']],
  ])('the name %j is validated: %j', (name, codes) => expect(nameProblems(name).map((p) => p.code)).toEqual(codes));
});
