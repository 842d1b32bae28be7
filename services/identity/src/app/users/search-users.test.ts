import { World } from '../../../test/support/world';
import { searchUsers } from './search-users';

describe('searchUsers', () => {
  it('users are found by parts of their names, and project tokens find themselves', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    await world.user('hanako');
    const find = (caller: object, text: string) =>
      searchUsers(
        world.deps,
        { ...world.operator, caller: { ...world.operator.caller, ...caller } },
        { text, limit: 5 },
      );
    expect(await find({}, 'NA')).toEqual(['ana', 'hanako']);
    expect(await find({ onlyProjects: [7], userId: ana.id }, 'na')).toEqual(['ana']);
    expect(await find({ onlyProjects: [7], userId: ana.id }, 'hana')).toEqual([]);
  });

  it('a project token finds itself by its full name, not when its user does not exist any more', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { fullName: 'Ana Nováková' });
    const find = (userId: number) =>
      searchUsers(world.deps, world.caller({ ...world.operator.caller, onlyProjects: [7], userId }), {
        text: 'NOVÁK',
        limit: 5,
      });
    expect(await find(ana.id)).toEqual(['ana']);
    expect(await find(999)).toEqual([]);
  });
});
