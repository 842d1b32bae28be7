import type { ServiceError } from '@parlance/errors';
import { freeAttempts } from '../../domain/sign-in/attempts';
import { PASSWORD_RESET, type MailPart } from '../../domain/notifications/mail';
import { Problems } from '../../domain/problems';
import { frequencies } from '../../domain/notifications/subscription';
import { checkPassword, endedCredentials, maySignIn, type User } from '../../domain/user';
import { isValid, looksLikeSecret, PASSWORD_RESET_MS, secretHash } from '../../domain/sign-in/web-credential';
import { announce, recordAudit } from '../audit/audit-action';
import { accountKey, passwordMatches } from '../authentication/authenticate-password';
import { countAttempt } from '../authentication/count-attempt';
import { fieldError, notFound, throwIfInvalid } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { denyAccess } from '../rights';
import { issueSecret, startSession, type IssuedSecret, type StartSessionDeps } from './start-session';

type SetOwnPasswordDeps = Pick<Deps, 'users' | 'webCredentials' | 'passwords' | 'now'>;

function throwIfWeak(password: string): void {
  const problems = new Problems();
  checkPassword(problems, password);
  throwIfInvalid(problems);
}

/**
 * Stores a password and ends all sessions and resets of the user in the same write.
 * @param given.epoch that of the proof; a later one means that another change came first
 * @throws given.outdated in that case
 */
async function storePassword(
  deps: SetOwnPasswordDeps,
  context: RequestContext,
  given: { userId: number; epoch: number; password: string; action: string; outdated: ServiceError },
): Promise<User> {
  const { userId, epoch, password, action, outdated } = given;
  const passwordHash = await deps.passwords.hash(password);
  const updated = await deps.users.update(userId, (user) => {
    if ((user.credentialEpoch ?? 0) !== epoch || !maySignIn(user, deps.now())) throw outdated;
    const entry = { action, kind: 'user' as const, id: userId, actorId: userId, details: { user_id: userId } };
    return {
      next: { ...user, passwordHash, ...endedCredentials(user) },
      announce: announce(deps, context, entry, [userId]),
    };
  });
  if (!updated) throw outdated;
  await deps.webCredentials.removeOf(userId);
  return updated;
}

/**
 * Changes the caller's own password.
 * @returns a new session, because all sessions of the user end
 * @throws INVALID on current_password or password, THROTTLED after too many wrong passwords
 */
export async function changePassword(
  deps: SetOwnPasswordDeps & StartSessionDeps & Pick<Deps, 'attempts'>,
  context: RequestContext,
  input: { currentPassword?: string; password: string; userAgent: string },
): Promise<IssuedSecret> {
  const { caller } = context;
  if (caller.anonymous || caller.onlyProjects) denyAccess(context);
  const user = await deps.users.get(caller.userId);
  if (!user) throw notFound('The user');
  if (!input.currentPassword) throw fieldError('current_password', 'required', 'This field is required.');
  throwIfWeak(input.password);
  if (!(await passwordMatches(deps, user, input.currentPassword)))
    throw fieldError('current_password', 'invalid', 'The password is wrong.');
  const updated = await storePassword(deps, context, {
    userId: user.id,
    epoch: user.credentialEpoch ?? 0,
    password: input.password,
    action: 'user.password.change',
    outdated: fieldError('current_password', 'invalid', 'The password was changed in the meantime.'),
  });
  return startSession(deps, context, updated, input.userAgent);
}

/** Counts a request for a password reset by the network of its client. @throws THROTTLED */
export async function countResetRequest(deps: Pick<Deps, 'attempts' | 'now'>, network: string): Promise<void> {
  const key = `reset-network:${network}`;
  await countAttempt(deps, key, freeAttempts.resetFromNetwork, 'Too many requests for a new password.');
}

type MailResetDeps = Pick<
  Deps,
  'users' | 'webCredentials' | 'attempts' | 'mails' | 'audit' | 'secrets' | 'now' | 'siteUrl'
>;

/** Mails a link for a new password to the user with an address. Other addresses, and accounts that got several mails, get none. */
export async function mailPasswordReset(deps: MailResetDeps, context: RequestContext, email: string): Promise<void> {
  const user = await deps.users.byEmail(email);
  const now = deps.now();
  if (!user || !maySignIn(user, now) || user.projectId !== 0) return;
  const { counted } = await deps.attempts.count(`reset-user:${user.id}`, freeAttempts.resetOfAccount, now);
  if (!counted) return;
  await recordAudit(deps, context, { action: 'user.password.request', kind: 'user', id: user.id });
  const times = { idleMs: PASSWORD_RESET_MS, absoluteMs: PASSWORD_RESET_MS };
  const { id, secret } = await issueSecret(deps, context, { user, kind: 'password-reset', userAgent: '', times });
  const part: MailPart = {
    key: `${PASSWORD_RESET}:${id}`,
    userId: user.id,
    notification: PASSWORD_RESET,
    frequency: frequencies.instant,
    createdMs: now,
    dueMs: now,
    sealedLink: deps.secrets.seal(`${deps.siteUrl}/accounts/password/set/?secret=${secret}`),
    lines: context.clientAddress ? [`The request came from ${context.clientAddress}.`] : [],
    count: 1,
  };
  await deps.mails.add(part.key, [part]);
}

/**
 * Sets a password by the secret of a mailed link, once. A caller with the link can read the user's mail; a second factor is still required
 * to sign in.
 * @throws INVALID on secret or password
 */
export async function resetPassword(
  deps: SetOwnPasswordDeps & Pick<Deps, 'attempts'>,
  context: RequestContext,
  input: { secret: string; password: string },
): Promise<void> {
  const spent = fieldError('secret', 'invalid', 'The link has expired or was used. Request a new one.');
  // A refused password does not use up the link.
  throwIfWeak(input.password);
  const hash = secretHash(input.secret);
  const known = looksLikeSecret(input.secret) ? await deps.webCredentials.byHash('password-reset', hash) : undefined;
  const user = known && (await deps.users.get(known.userId));
  if (!known || !user || !isValid(known, user, deps.now())) throw spent;
  const { userId, epoch } = known;
  const action = 'user.password.reset';
  await storePassword(deps, context, { userId, epoch, password: input.password, action, outdated: spent });
  await deps.attempts.forget(accountKey(user));
}
