import { reasonOf, World } from '../../../test/support/world';
import { setPassword } from '../users/set-password';
import { freeAttempts } from '../../domain/sign-in/attempts';
import { authenticatePassword } from './authenticate-password';

describe('authenticatePassword', () => {
  it('a password authenticates by name or address, and failures throttle further attempts', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { email: 'ana@example.org' });
    const password = await setPassword(world.deps, world.operator, ana.id, '');
    expect((await authenticatePassword(world.deps, 'ana', password)).user.lastLoginMs).toBe(world.nowMs);
    await authenticatePassword(world.deps, 'ANA@example.org', password);
    for (let i = 0; i < freeAttempts.account; i++) {
      expect(await reasonOf(authenticatePassword(world.deps, 'ana', 'wrong'))).toBe('AUTHENTICATION_FAILED');
    }
    expect(await reasonOf(authenticatePassword(world.deps, 'ana', password))).toBe('THROTTLED');
    world.nowMs += 60_000;
    await authenticatePassword(world.deps, 'ana', password);
  });

  it('sign-in fails equally for unknown users and users without a password', async () => {
    const world = await World.create();
    await world.user('ana');
    for (const name of ['ana', 'nobody', 'nobody@example.org']) {
      expect(await reasonOf(authenticatePassword(world.deps, name, 'whatever'))).toBe('AUTHENTICATION_FAILED');
    }
  });
});
