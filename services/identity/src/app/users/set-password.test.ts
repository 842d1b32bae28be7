import { fieldsOf, reasonOf, World } from '../../../test/support/world';
import { setPassword } from './set-password';

describe('setPassword', () => {
  it('passwords are set by superusers only', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    expect(await reasonOf(setPassword(world.deps, await world.as(ana), ana.id, ''))).toBe('PERMISSION_DENIED');
    expect(await fieldsOf(setPassword(world.deps, world.operator, ana.id, 'short'))).toEqual(['password:min_length']);
    expect(await reasonOf(setPassword(world.deps, world.operator, 1, ''))).toBe('PERMISSION_DENIED');
  });
});
