import { countUpTo, listTotal } from './list-total';

describe('listTotal', () => {
  const counted = async () => 77;

  it.each([
    { skip: 0, found: 0, total: 0 },
    { skip: 0, found: 2, total: 2 },
    { skip: 6, found: 2, total: 8 },
  ])('the total is known from a page that shows the end: $found documents after $skip', async ({ total, ...page }) => {
    expect(await listTotal({ ...page, size: 3 }, counted)).toBe(total);
  });

  it('the total is counted for a full page, and for an empty one beyond the end', async () => {
    expect(await listTotal({ skip: 0, size: 3, found: 3 }, counted)).toBe(77);
    expect(await listTotal({ skip: 3, size: 3, found: 0 }, counted)).toBe(77);
  });
});

/** A collection with some documents, which all match, and the limits that it was asked for. */
function collectionOf(size: number) {
  const limits: number[] = [];
  return {
    limits,
    countDocuments: async (_: object, { limit }: { limit: number }) => (limits.push(limit), Math.min(size, limit)),
  };
}

it('countUpTo adds the documents of all collections, and asks for no more than the limit leaves', async () => {
  const collections = [collectionOf(3), collectionOf(0), collectionOf(9), collectionOf(5)];
  expect(await countUpTo(collections, {}, 100)).toBe(17);
  expect(await countUpTo(collections, {}, 10)).toBe(10);
  expect(collections.map(({ limits }) => limits)).toEqual([[100, 10], [97, 7], [97, 7], [88]]);
});
