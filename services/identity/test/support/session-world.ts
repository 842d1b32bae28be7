import { TOTP } from 'otpauth';
import { confirmSecondFactor, createSecondFactor } from '../../src/app/second-factors/second-factors';
import { authenticateSession } from '../../src/app/sessions/sessions';
import { signIn } from '../../src/app/sessions/sign-in';
import type { User } from '../../src/domain/user';
import { reasonOf, World } from './world';

export const password = 'correct horse battery staple';

/** A world with a user, ana, who can sign in. */
export async function withPassword() {
  const world = await World.create();
  const anonymous = await world.anonymous();
  const ana = await world.user('ana', { password, email: 'ana@example.org' });
  const enter = (username: string, given: string, network = '203.0.113.9') =>
    signIn(world.deps, anonymous, { username, password: given, network, userAgent: 'Firefox' });
  const start = async () => (await enter('ana', password)).secret;
  /** The name of the user of a session, or why there is none. */
  const whose = async (secret: string) => {
    const session = authenticateSession(world.deps, secret);
    const reason = await reasonOf(session);
    return reason === 'OK' ? (await session).user.username : reason;
  };
  const actions = () => world.announced.audit.map(({ action }) => action);
  return { world, anonymous, ana, enter, start, whose, actions };
}

/** Adds a confirmed second factor; returns its code at a time, by default the current one. */
export async function withFactor(world: World, user: User): Promise<(timeMs?: number) => string> {
  const as = await world.as(user);
  const made = await createSecondFactor(world.deps, as, { userId: user.id, name: 'phone', password });
  const code = (timeMs = world.nowMs) => new TOTP({ secret: made.secret }).generate({ timestamp: timeMs });
  await confirmSecondFactor(world.deps, as, { userId: user.id, id: made.factor.id, code: code() });
  world.nowMs += 60_000;
  return code;
}

/** A code that differs from the right one. */
export function wrongCode(right: string): string {
  return String((Number(right) + 1) % 1_000_000).padStart(6, '0');
}
