import { ServiceError } from '@parlance/errors';
import { hash } from 'node:crypto';
import { freeAttempts } from '../../domain/sign-in/attempts';
import { fold, maySignIn, PASSWORD_MAX, type User } from '../../domain/user';
import { countAttempt } from './count-attempt';
import { signAuthentication, type Authentication } from './authenticate';
import type { Deps } from '../deps';

type AuthenticatePasswordDeps = Pick<
  Deps,
  'users' | 'groups' | 'roles' | 'componentLists' | 'attempts' | 'passwords' | 'now' | 'serviceSecret'
>;

/** Signs in with a user name or mail address. @throws AUTHENTICATION_FAILED, THROTTLED */
export async function authenticatePassword(
  deps: AuthenticatePasswordDeps,
  name: string,
  password: string,
): Promise<Authentication> {
  const user = await userCalled(deps, name);
  const isRight = await passwordMatches(deps, user ?? name, password);
  if (!user || !isRight) throw wrongPassword();
  const now = deps.now();
  await deps.users.noteSignIn(user.id, now);
  return signAuthentication(deps, { ...user, lastLoginMs: now }, 0, 0);
}

/** The same error for unknown names and wrong passwords. */
export const wrongPassword = (): ServiceError =>
  new ServiceError('AUTHENTICATION_FAILED', { message: 'The user name or the password is wrong.' });

type PasswordDeps = Pick<Deps, 'users' | 'attempts' | 'passwords' | 'now'>;

/** Compared if the user or password is missing, so that response times do not reveal it. */
let decoyHash: Promise<string> | undefined;

/** Names that are longer belong to no user. */
const NAME_MAX = 1000;

/** A user by name or mail address. */
export async function userCalled(deps: Pick<Deps, 'users'>, name: string): Promise<User | undefined> {
  if (name.length > NAME_MAX) return undefined;
  const [byEmail, byName] = await Promise.all([deps.users.byEmail(name), deps.users.byName(name)]);
  return byEmail ?? byName;
}

/** Key of the attempts of an account. Those of unknown names are counted as well, so that being counted reveals nothing. */
export function accountKey(user: User | string): string {
  return typeof user === 'string' ? `name:${hash('sha256', fold(user), 'hex')}` : `user:${user.id}`;
}

/**
 * Compares a password with that of an active user. Each attempt is counted per user before the comparison, so that concurrent
 * attempts are limited like sequential ones. The right password resets the count.
 * @param user or the name under which there is none
 * @throws THROTTLED after freeAttempts.account wrong ones
 */
export async function passwordMatches(deps: PasswordDeps, user: User | string, password: string): Promise<boolean> {
  await countPassword(deps, user);
  return comparePassword(deps, user, password);
}

/** Counts a password before it is compared. @returns when the next one is allowed if this one is wrong @throws THROTTLED */
export function countPassword(deps: Pick<Deps, 'attempts' | 'now'>, user: User | string): Promise<number> {
  return countAttempt(deps, accountKey(user), freeAttempts.account, 'Too many wrong passwords.');
}

/** Compares a counted password. Takes as long without a user. */
export async function comparePassword(deps: PasswordDeps, user: User | string, password: string): Promise<boolean> {
  const known = typeof user !== 'string' && maySignIn(user, deps.now()) ? user.passwordHash : null;
  decoyHash ??= deps.passwords.hash('decoy password');
  // Longer passwords would only cost hashing time.
  const isRight = await deps.passwords.verify(known ?? (await decoyHash), password.slice(0, PASSWORD_MAX + 1));
  if (known === null || !isRight || password.length > PASSWORD_MAX) return false;
  await deps.attempts.forget(accountKey(user));
  return true;
}
