import { sliceOf } from './range';

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
