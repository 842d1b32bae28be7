import { MongoUnitStore } from '../../src/store/units/unit-store';
import { sampleTranslation, sampleUnit } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();
const store = () => new MongoUnitStore(database.models.units, database.models.searchOpen);

/** Fills a translation. @param positions of its strings, whose ids ascend */
async function fill(translation: number, positions: readonly number[]) {
  const units = positions.map((position, i) =>
    sampleUnit(sampleTranslation(translation), translation * 1000 + i, { position }),
  );
  await store().insert(units);
  return {
    around: async (position: number) => {
      const id = translation * 1000 + positions.indexOf(position);
      const { before, after } = await store().listAround({ id, translation, position }, 3);
      return [before, after].map((side) => side.map(({ id }) => id - translation * 1000));
    },
  };
}

describe('the neighbours of a string', () => {
  it('the neighbours of a string are the nearest ones on each side, also at both ends', async () => {
    const { around } = await fill(1, [1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await around(4)).toEqual([
      [0, 1, 2],
      [4, 5, 6],
    ]);
    expect(await around(1)).toEqual([[], [1, 2, 3]]);
    expect(await around(2)).toEqual([[0], [2, 3, 4]]);
    expect(await around(8)).toEqual([[4, 5, 6], []]);
  });

  it('the neighbours of a string are those in the file where ids have another order', async () => {
    const { around } = await fill(5, [9, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await around(8)).toEqual([[5, 6, 7], [0]]);
    expect(await around(1)).toEqual([[], [2, 3, 4]]);
    expect(await around(9)).toEqual([[6, 7, 8], []]);
  });

  it('the neighbours of a string are found beyond gaps, which deleted strings leave', async () => {
    const { around } = await fill(2, [1, 50, 51, 90, 100, 140, 200]);
    expect(await around(90)).toEqual([
      [0, 1, 2],
      [4, 5, 6],
    ]);
    expect(await around(50)).toEqual([[0], [2, 3, 4]]);
  });

  it('neighbours of a string with equal positions are in the order of their ids', async () => {
    const { around } = await fill(3, [1, 1, 1, 1, 2, 3, 3, 3, 3]);
    expect(await around(2)).toEqual([
      [1, 2, 3],
      [5, 6, 7],
    ]);
  });

  it('the neighbours of a string are the nearest ones where many strings have the same position', async () => {
    const { around } = await fill(4, [1, 2, ...Array.from({ length: 120 }, () => 3), 4, 5, 6, 7]);
    expect(await around(4)).toEqual([
      [119, 120, 121],
      [123, 124, 125],
    ]);
  });
});
