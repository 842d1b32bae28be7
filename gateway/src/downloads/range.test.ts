import { readRange } from './range';

describe('readRange', () => {
  it.each([
    ['bytes=0-4', { first: 0, last: 4 }],
    ['bytes=5-', { first: 5 }],
    ['bytes=-3', { suffix: 3 }],
  ])('readRange parses the header %p', (header, range) => {
    expect(readRange(header)).toEqual(range);
  });

  it.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=4-2', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b'])(
    'readRange ignores the header %p, so that the whole file is sent',
    (header) => {
      expect(readRange(header)).toBeUndefined();
    },
  );
});
