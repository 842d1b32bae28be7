import { ownersOf, visibleOwners } from './owners';

describe('owners of memory entries', () => {
  it('no owner is both a project, a user and the readers of the shared memory', () => {
    const owners = [{ shared: true }, ...[1, 2, 3].flatMap((id) => [{ project: id }, { user: id }])].map((of) =>
      ownersOf({ project: 0, user: 0, shared: false, ...of }),
    );
    expect(owners.map((of) => of.length)).toEqual(owners.map(() => 1));
    expect(new Set(owners.flat()).size).toBe(owners.length);
  });

  it('a shared entry of a project has both owners, and an entry without an owner has none', () => {
    const shared = ownersOf({ project: 4, user: 0, shared: true });
    expect(shared).toHaveLength(2);
    expect(shared).toEqual(expect.arrayContaining(ownersOf({ project: 4, user: 0, shared: false })));
    expect(ownersOf({ project: 0, user: 0, shared: false })).toEqual([]);
  });

  it('a reader sees the entries of each given owner, and none without an owner', () => {
    const visible = visibleOwners({ project: 4, user: 5 })!;
    const sees = (entry: Parameters<typeof ownersOf>[0]) => ownersOf(entry).some((owner) => visible.has(owner));
    expect(sees({ project: 4, user: 0, shared: false })).toBe(true);
    expect(sees({ project: 0, user: 5, shared: false })).toBe(true);
    expect(sees({ project: 5, user: 0, shared: true })).toBe(false);
    expect(visibleOwners({})).toEqual(new Set());
    expect(visibleOwners({ shared: false })).toEqual(new Set());
    expect(visibleOwners({ shared: true })!.size).toBe(1);
  });

  it('a reader of everything is not restricted', () => {
    expect(visibleOwners('everything')).toBeNull();
  });
});
