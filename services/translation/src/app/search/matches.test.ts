import { BLOCK_SIZE } from '../../domain/search/postings';
import { UnitSet } from '../../domain/search/unit-set';
import { Matches } from './matches';

const setOf = (...offsets: number[]): UnitSet => {
  const set = new UnitSet();
  for (const offset of offsets) set.add(offset);
  return set;
};

describe('Matches', () => {
  const matches = new Matches([
    { id: 0, set: setOf(3, 7) },
    { id: 1, set: setOf() },
    { id: 4, set: setOf(0, 1, 9) },
  ]);

  it('Matches counts the units of all blocks', () => {
    expect(matches.total).toBe(5);
    expect(new Matches([]).total).toBe(0);
  });

  it('Matches returns pages by position across blocks', () => {
    expect(matches.ids(0, 2)).toEqual([3, 7]);
    expect(matches.ids(1, 3)).toEqual([7, 4 * BLOCK_SIZE, 4 * BLOCK_SIZE + 1]);
    expect(matches.ids(4, 10)).toEqual([4 * BLOCK_SIZE + 9]);
    expect(matches.ids(5, 10)).toEqual([]);
  });
});
