import { heightOf, isBeingDeleted, levelOf, nestedIn, type CategoryNode } from './category-tree';

const node = (id: number, categoryId: number, more: { deleting?: true } = {}) => ({ id, categoryId, ...more });
/** 1 contains 2 and 3, 2 contains 4; 5 stands alone. The order of a store is arbitrary. */
const tree = [node(4, 2), node(2, 1), node(5, 0), node(1, 0), node(3, 1)];
const [four, two, five, one] = tree as [CategoryNode, CategoryNode, CategoryNode, CategoryNode];
/** A cycle, as two concurrent moves could store it. */
const cycle = [node(7, 8), node(8, 7)];

describe('the tree of categories', () => {
  it('a category and those nested in it are listed from the outside in', () => {
    expect(nestedIn(tree, one).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(nestedIn(tree, five)).toEqual([five]);
    expect(nestedIn(tree, node(0, 1))).toHaveLength(1);
  });

  it('the levels of a category are counted from the project, its height from itself', () => {
    expect([1, 2, 4, 5, 0].map((id) => levelOf(tree, id))).toEqual([1, 2, 3, 1, 0]);
    expect([one, two, four, node(0, 2)].map((root) => heightOf(tree, root))).toEqual([3, 2, 1, 1]);
  });

  it('a category is being deleted with each of its parents', () => {
    const deleting = [node(4, 2), node(2, 1, { deleting: true }), node(1, 0), node(3, 1)];
    expect([4, 2, 1, 3, 99].map((id) => isBeingDeleted(deleting, id))).toEqual([true, true, false, false, false]);
  });

  it('a stored cycle ends every walk', () => {
    expect(nestedIn(cycle, { ...cycle[0]! }).map(({ id }) => id)).toEqual([7, 8]);
    expect(levelOf(cycle, 7)).toBe(2);
    expect(heightOf(cycle, cycle[0]!)).toBe(2);
    expect(isBeingDeleted(cycle, 7)).toBe(false);
  });
});
