import { ServiceError } from '@parlance/errors';
import { maySignIn, PASSWORD_MAX, type User } from '../../domain/user';
import { signAuthentication, type Authentication } from './authenticate';
import type { Deps } from '../deps';

/** Wrong passwords within the window before further attempts are rejected without a check. */
export const FAILURES_MAX = 10;
export const FAILURE_WINDOW_MS = 15 * 60_000;

// Compared if the user or password is missing, so that response times do not reveal it.
let DECOY_HASH: Promise<string> | undefined;

type AuthenticatePasswordDeps = Pick<
  Deps,
  'users' | 'groups' | 'roles' | 'componentLists' | 'passwords' | 'now' | 'serviceSecret'
>;

/** Signs in with a user name or mail address. @throws AUTHENTICATION_FAILED, THROTTLED */
export async function authenticatePassword(
  deps: AuthenticatePasswordDeps,
  name: string,
  password: string,
): Promise<Authentication> {
  const failed = new ServiceError('AUTHENTICATION_FAILED', { message: 'The user name or the password is wrong.' });
  if (password.length > PASSWORD_MAX || name.length > 1000) throw failed;
  const user = name.includes('@')
    ? ((await deps.users.byEmail(name)) ?? (await deps.users.byName(name)))
    : await deps.users.byName(name);
  if (!user?.passwordHash) {
    DECOY_HASH ??= deps.passwords.hash('decoy password');
    await deps.passwords.verify(await DECOY_HASH, password);
    throw failed;
  }
  if (!(await passwordMatches(deps, user, password))) throw failed;
  const now = deps.now();
  await deps.users.noteSignIn(user.id, now);
  return signAuthentication(deps, { ...user, lastLoginMs: now }, 0, 0);
}

/**
 * Compares a password with that of an active user. Each attempt is counted per user before the comparison, so that concurrent
 * attempts are limited like sequential ones. The right password resets the count.
 * @throws THROTTLED after FAILURES_MAX wrong ones within the window
 */
export async function passwordMatches(
  deps: Pick<Deps, 'users' | 'passwords' | 'now'>,
  user: User,
  password: string,
): Promise<boolean> {
  const now = deps.now();
  if ((await deps.users.noteFailedSignIn(user.id, now, FAILURE_WINDOW_MS)) > FAILURES_MAX) {
    throw new ServiceError('THROTTLED', { message: 'Too many wrong passwords; try again in a quarter of an hour.' });
  }
  if (!user.passwordHash || password.length > PASSWORD_MAX || !maySignIn(user, now)) return false;
  if (!(await deps.passwords.verify(user.passwordHash, password))) return false;
  await deps.users.forgetFailedSignIns(user.id);
  return true;
}
