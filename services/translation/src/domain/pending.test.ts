import {
  withoutCommitted,
  makeCommitRule,
  selectCommittable,
  groupPending,
  isCommitted,
  isUncommittedAddition,
  hasUpstreamChange,
  withEdit,
} from './pending';
import type { Author, PendingEdit, Unit } from './unit';

const author = (userId: number): Author => ({
  userId,
  username: `u${userId}`,
  fullName: `User ${userId}`,
  email: `u${userId}@example.com`,
});
const edit = (id: string, user: number, text: string, time: number): PendingEdit => ({
  id,
  author: author(user),
  target: [text],
  state: 20,
  time,
});
const unit = (id: number, edits: PendingEdit[]): Unit =>
  ({ id, translation: 1, edits, target: edits.at(-1)!.target, stored: { target: ['old'], state: 20 } }) as Unit;

describe('pending edits', () => {
  it('Consecutive edits of one author are merged into the last one', () => {
    let edits = withEdit([], edit('a', 1, 'one', 1));
    edits = withEdit(edits, edit('b', 1, 'two', 2));
    edits = withEdit(edits, edit('c', 2, 'three', 3));
    edits = withEdit(edits, edit('d', 1, 'four', 4));
    expect(edits.map((e) => e.id)).toEqual(['b', 'c', 'd']);
  });

  it('A string counts as to be added until the edit that adds it is committed', () => {
    const added = [{ ...edit('a', 1, 'one', 1), adds: true }];
    const again = withEdit(added, edit('b', 1, 'two', 2));
    const others = withEdit(again, edit('c', 2, 'three', 3));
    for (const edits of [added, again, others]) expect(isUncommittedAddition({ edits })).toBe(true);
    expect(isUncommittedAddition(withoutCommitted(unit(1, others), new Set(['b'])))).toBe(false);
    expect(isUncommittedAddition({ edits: withEdit([], edit('d', 1, 'four', 4)) })).toBe(false);
  });

  it('After a commit, an edit made during the commit stays pending with the committed text as stored text', () => {
    let edits = withEdit([], { ...edit('a', 1, 'one', 1), adds: true });
    for (const [at, id] of ['b', 'c', 'd'].entries()) edits = withEdit(edits, edit(id, 1, `later ${at}`, 2));
    const after = withoutCommitted(unit(1, edits), new Set(['a']));
    expect(after).toMatchObject({ edits: [{ id: 'd' }], stored: { target: ['one'], state: 20 } });
    // Importing the committed text is not a conflict; another text is.
    const waiting = { ...unit(1, edits), ...after };
    expect(hasUpstreamChange(waiting, ['one'])).toBe(false);
    expect(hasUpstreamChange(waiting, ['theirs'])).toBe(true);
    expect(isCommitted(new Set(['a']), waiting)).toBe(false);
    expect(isUncommittedAddition(waiting)).toBe(false);

    const others = withEdit(withEdit([edit('e', 1, 'first', 1)], edit('f', 2, 'second', 2)), edit('g', 2, 'third', 3));
    expect(isCommitted(new Set(['f']), { edits: others })).toBe(true);
    expect(withoutCommitted(unit(1, others), new Set(['e', 'f']))).toMatchObject({
      edits: [{ id: 'g' }],
      stored: { target: ['second'] },
    });
  });

  it('Pending edits become one commit per author and round, oldest first', () => {
    const units = [
      unit(1, [edit('a', 1, 'x', 5), edit('b', 2, 'y', 6)]),
      unit(2, [edit('c', 2, 'z', 1)]),
      unit(3, [edit('d', 1, 'w', 7)]),
    ];
    const groups = groupPending(units).map((g) => ({
      user: g.author.userId,
      round: g.round,
      edits: g.edits.map((e) => e.edit.id),
    }));
    expect(groups).toEqual([
      { user: 2, round: 0, edits: ['c'] },
      { user: 1, round: 0, edits: ['a', 'd'] },
      { user: 2, round: 1, edits: ['b'] },
    ]);
  });

  it('Edits that the commit does not contain stay pending', () => {
    const two = unit(1, [edit('a', 1, 'x', 1), edit('b', 2, 'y', 2)]);
    expect(withoutCommitted(two, new Set(['a']))).toEqual({
      edits: [two.edits[1]],
      stored: { target: ['x'], state: 20 },
    });
    expect(withoutCommitted(two, new Set(['a', 'b']))).toEqual({ edits: [], stored: undefined });
  });

  it('Edits whose state the commit policy excludes stay pending', () => {
    const fuzzy = { ...edit('a', 1, 'x', 1), state: 10 };
    const good = edit('b', 2, 'y', 2);
    const approved = { ...edit('c', 3, 'z', 3), state: 30 };
    const ids = (policy: number, edits: PendingEdit[], more: object = {}) =>
      selectCommittable(
        [{ ...unit(1, edits), isSource: false, ...more }],
        makeCommitRule({ commitPolicy: policy, sourceReview: false }),
      )
        .flatMap((u) => u.edits)
        .map((e) => e.id);
    expect(ids(0, [fuzzy, good, approved])).toEqual(['a', 'b', 'c']);
    expect(ids(20, [fuzzy, good, approved])).toEqual(['b', 'c']);
    expect(ids(30, [fuzzy, good, approved])).toEqual(['c']);
    expect(ids(30, [approved, fuzzy])).toEqual(['c']);
    // Without source review, source strings need no approval.
    expect(ids(30, [good], { isSource: true })).toEqual(['b']);
    expect(ids(30, [good])).toEqual([]);
    // A string that is added without a text needs no approval.
    const blank = { ...edit('d', 1, '', 4), state: 0 };
    expect(ids(30, [{ ...blank, adds: true }])).toEqual(['d']);
    expect(ids(30, [blank])).toEqual([]);
  });

  it('Edits before a committed edit of the same string are obsolete', () => {
    const two = unit(1, [edit('a', 1, 'x', 1), edit('b', 2, 'y', 2)]);
    expect(withoutCommitted(two, new Set(['b']))).toEqual({ edits: [], stored: undefined });
    const three = unit(1, [...two.edits, edit('c', 1, 'z', 3)]);
    expect(withoutCommitted(three, new Set(['b']))).toEqual({
      edits: [three.edits[2]],
      stored: { target: ['y'], state: 20 },
    });
  });

  it('A pending edit conflicts only with an upstream text that differs from it and from the stored text', () => {
    const one = unit(1, [edit('a', 1, 'mine', 1)]);
    expect(hasUpstreamChange(one, ['old'])).toBe(false);
    expect(hasUpstreamChange(one, ['mine'])).toBe(false);
    expect(hasUpstreamChange(one, ['theirs'])).toBe(true);
  });
});
