import { isServiceError, ServiceError } from '@parlance/errors';
import { freeAttempts } from '../../domain/sign-in/attempts';
import { hasConfirmedFactor } from '../../domain/sign-in/second-factor';
import { maySignIn, type User } from '../../domain/user';
import { isValid, looksLikeSecret, SECOND_FACTOR_MS, secretHash } from '../../domain/sign-in/web-credential';
import { recordAudit } from '../audit/audit-action';
import { comparePassword, countPassword, userCalled, wrongPassword } from '../authentication/authenticate-password';
import { countAttempt } from '../authentication/count-attempt';
import { requireCode } from '../authentication/require-presence';
import { fieldError } from '../field-errors';
import { assertionOptions, requireAssertion } from '../second-factors/security-keys';
import type { RequestContext, Deps } from '../deps';
import { issueSecret, startSession, type IssuedSecret, type StartSessionDeps } from './start-session';

type SignInDeps = StartSessionDeps & Pick<Deps, 'attempts' | 'passwords'>;

/**
 * Signs in with a user name (or mail address) and password. Wrong names and passwords get the same error after the same work.
 * @returns the secret of a session; of a pending sign-in if the user has a second factor
 * @throws AUTHENTICATION_FAILED, THROTTLED
 */
export async function signIn(
  deps: SignInDeps,
  context: RequestContext,
  input: { username: string; password: string; network: string; userAgent: string },
): Promise<IssuedSecret & { needsCode: boolean }> {
  const { username, password, network, userAgent } = input;
  const networkKey = `network:${network}`;
  const nextOfNetworkMs = await countAttempt(deps, networkKey, freeAttempts.network, 'Too many wrong passwords.');
  const user = await userCalled(deps, username);
  const nextOfUserMs = await countPassword(deps, user ?? username);
  const isRight = await comparePassword(deps, user ?? username, password);
  if (!user || !isRight) {
    await recordFailure(deps, context, user, { factor: 'password' });
    if (nextOfUserMs !== 0) await recordLock(deps, context, user, nextOfUserMs);
    if (nextOfNetworkMs !== 0) await recordLock(deps, context, undefined, nextOfNetworkMs);
    throw wrongPassword();
  }
  // A right password of one account does not reset the attempts on others.
  await deps.attempts.refund(networkKey);
  return admit(deps, context, user, userAgent);
}

/** Starts a session of a user who has passed the first step of a sign-in, or a pending sign-in if there is a second one. */
export async function admit(
  deps: StartSessionDeps,
  context: RequestContext,
  user: User,
  userAgent: string,
): Promise<IssuedSecret & { needsCode: boolean }> {
  if (!hasConfirmedFactor(user)) return { ...(await startSession(deps, context, user, userAgent)), needsCode: false };
  const times = { idleMs: SECOND_FACTOR_MS, absoluteMs: SECOND_FACTOR_MS };
  const pending = await issueSecret(deps, context, { user, kind: 'second-factor', userAgent, times });
  return { ...pending, needsCode: true };
}

/** Unknown names are recorded without the name, which may be a mistyped password. */
function recordFailure(
  deps: Pick<Deps, 'audit' | 'now'>,
  context: RequestContext,
  user: User | undefined,
  details: Record<string, unknown>,
): Promise<void> {
  return recordAudit(deps, context, { action: 'session.refuse', kind: 'user', id: user?.id ?? 0, details });
}

/** @param user absent: the name is unknown, or attempts from the network of the client are locked */
function recordLock(
  deps: Pick<Deps, 'audit' | 'now'>,
  context: RequestContext,
  user: User | undefined,
  untilMs: number,
): Promise<void> {
  const details = { until: new Date(untilMs).toISOString() };
  return recordAudit(deps, context, { action: 'session.lock', kind: 'user', id: user?.id ?? 0, details });
}

type PendingDeps = Pick<Deps, 'webCredentials' | 'users' | 'now'>;

/** The user of a pending sign-in. @throws AUTHENTICATION_FAILED if it is unknown or expired */
async function pendingUser(deps: PendingDeps, secret: string): Promise<User> {
  const hash = secretHash(secret);
  const pending = looksLikeSecret(secret) ? await deps.webCredentials.byHash('second-factor', hash) : undefined;
  const user = pending && (await deps.users.get(pending.userId));
  const now = deps.now();
  if (!pending || !user || !maySignIn(user, now) || !isValid(pending, user, now)) throw expired();
  return user;
}

const expired = () => new ServiceError('AUTHENTICATION_FAILED', { message: 'The sign-in has expired. Sign in again.' });

/** @returns means of completing a pending sign-in @throws AUTHENTICATION_FAILED */
export async function describePendingSignIn(
  deps: PendingDeps,
  { secret, origin }: { secret: string; origin: string },
): Promise<{ hasCodes: boolean; keyOptions: string }> {
  const user = await pendingUser(deps, secret);
  const hasCodes = user.secondFactors?.some((factor) => factor.confirmedMs > 0 && !factor.securityKey) ?? false;
  return { hasCodes, keyOptions: await assertionOptions(user, secret, origin) };
}

type ConfirmSignInDeps = StartSessionDeps & Pick<Deps, 'secrets'>;

/**
 * Completes a sign-in with a code or with the response of a security key. The session gets a new secret.
 * @throws AUTHENTICATION_FAILED if the sign-in is unknown or expired, INVALID on code or response, THROTTLED after too many wrong ones
 */
export async function confirmSignIn(
  deps: ConfirmSignInDeps,
  context: RequestContext,
  input: { secret: string; code: string; response: string; origin: string; userAgent: string },
): Promise<IssuedSecret> {
  const user = await pendingUser(deps, input.secret);
  const code = input.code.replaceAll(' ', '');
  const usesKey = input.response !== '';
  if (!usesKey && code === '') throw fieldError('code', 'required', 'This field is required.');
  try {
    await (usesKey ? requireAssertion(deps, user, input) : requireCode(deps, user, code));
  } catch (error) {
    if (isServiceError(error, 'INVALID'))
      await recordFailure(deps, context, user, { factor: usesKey ? 'security-key' : 'code' });
    throw error;
  }
  if (!(await deps.webCredentials.take('second-factor', secretHash(input.secret)))) throw expired();
  return startSession(deps, context, user, input.userAgent);
}
