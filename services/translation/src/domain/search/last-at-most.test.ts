import fc from 'fast-check';
import { lastAtMost } from './last-at-most';

describe('lastAtMost', () => {
  it('the last value that is at most as large is found as by a linear search', () => {
    const ascending = fc.array(fc.nat(50), { maxLength: 40 }).map((values) => values.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(ascending, fc.integer({ min: -1, max: 51 }), (values, value) => {
        expect(lastAtMost(values, value)).toBe(values.findLastIndex((one) => one <= value));
      }),
    );
  });
});
