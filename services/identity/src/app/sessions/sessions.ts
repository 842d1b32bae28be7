import { ServiceError } from '@parlance/errors';
import { LAST_USE_STEP_MS } from '../../domain/sign-in/token';
import { ANONYMOUS_ID, maySignIn, type User } from '../../domain/user';
import {
  expiryOf,
  isValid,
  looksLikeSecret,
  secretHash,
  type WebCredential,
} from '../../domain/sign-in/web-credential';
import { recordAudit } from '../audit/audit-action';
import { signAuthentication, type Authentication } from '../authentication/authenticate';
import { notFound } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { denyAccess } from '../rights';

type AuthenticateSessionDeps = Pick<
  Deps,
  'users' | 'groups' | 'roles' | 'componentLists' | 'webCredentials' | 'now' | 'serviceSecret' | 'sessionTimes'
>;

/** Resolves the secret of a session to its user. @throws AUTHENTICATION_FAILED */
export async function authenticateSession(
  deps: AuthenticateSessionDeps,
  secret: string,
): Promise<Omit<Authentication, 'tokenId'> & { sessionId: number }> {
  const session = looksLikeSecret(secret) ? await deps.webCredentials.byHash('session', secretHash(secret)) : undefined;
  const user = session && (await deps.users.get(session.userId));
  const now = deps.now();
  if (!session || !user || !maySignIn(user, now) || !isValid(session, user, now))
    throw new ServiceError('AUTHENTICATION_FAILED');
  let { expiresMs } = session;
  if (now - session.lastSeenMs >= LAST_USE_STEP_MS) {
    expiresMs = expiryOf(session.endsMs, now, deps.sessionTimes);
    await deps.webCredentials.noteUse(session.hash, now, expiresMs);
  }
  return { ...(await signAuthentication(deps, user, 0, expiresMs)), sessionId: session.id };
}

/** Ends the session with a secret. Idempotent. */
export async function signOut(
  deps: Pick<Deps, 'webCredentials' | 'audit' | 'now'>,
  context: RequestContext,
  secret: string,
): Promise<void> {
  if (!looksLikeSecret(secret)) return;
  const session = await deps.webCredentials.byHash('session', secretHash(secret));
  if (!session) return;
  const { id, userId } = session;
  await recordAudit(deps, context, {
    action: 'session.end',
    kind: 'session',
    id,
    actorId: userId,
    details: { user_id: userId },
  });
  await deps.webCredentials.endSessions(userId, { id });
}

/** The user itself and superusers manage sessions; for other callers they do not exist. */
async function ownerOf(deps: Pick<Deps, 'users'>, context: RequestContext, userId: number): Promise<User> {
  const { caller } = context;
  if (caller.anonymous) denyAccess(context);
  const user = await deps.users.get(userId);
  if (!user || user.deleted || user.id === ANONYMOUS_ID) throw notFound('The user');
  if (caller.userId !== userId && !caller.isSuperuser) denyAccess(context);
  if (caller.onlyProjects) denyAccess(context, 'Project tokens cannot be used to manage sessions.');
  return user;
}

/** Valid sessions, newest first. */
export async function listSessions(
  deps: Pick<Deps, 'users' | 'webCredentials' | 'now'>,
  context: RequestContext,
  userId: number,
): Promise<WebCredential[]> {
  const user = await ownerOf(deps, context, userId);
  const now = deps.now();
  return (await deps.webCredentials.sessionsOf(userId)).filter((session) => isValid(session, user, now));
}

/** Ends one session of a user, or all except one. Idempotent. */
export async function endSessions(
  deps: Pick<Deps, 'users' | 'webCredentials' | 'audit' | 'now'>,
  context: RequestContext,
  input: { userId: number; id: number; exceptId: number },
): Promise<void> {
  const { userId, id, exceptId } = input;
  await ownerOf(deps, context, userId);
  const details = { user_id: userId, ...(id === 0 ? { all: true } : {}) };
  await recordAudit(deps, context, { action: 'session.end', kind: 'session', id, details });
  await deps.webCredentials.endSessions(userId, id === 0 ? { exceptId } : { id });
}
