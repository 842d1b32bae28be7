import { groupBy } from './group-by';

describe('groupBy', () => {
  it('groups are in the order of their first members, and members keep their order', () => {
    const groups = groupBy(['apple', 'bean', 'avocado', 'carrot', 'beet'], (word) => word[0]);
    expect([...groups]).toEqual([
      ['a', ['apple', 'avocado']],
      ['b', ['bean', 'beet']],
      ['c', ['carrot']],
    ]);
  });

  it('keys are compared as a map does, and an iterator is read once', () => {
    const key = {};
    expect([...groupBy([1, 2, 3].values(), (n) => (n === 2 ? {} : key)).values()]).toEqual([[1, 3], [2]]);
    expect(groupBy([], () => 0).size).toBe(0);
  });
});
