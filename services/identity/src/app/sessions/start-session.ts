import { newCredential, type CredentialKind, type SessionTimes } from '../../domain/sign-in/web-credential';
import type { User } from '../../domain/user';
import { recordAudit } from '../audit/audit-action';
import type { RequestContext, Deps } from '../deps';

/** A secret for the browser. */
export interface IssuedSecret {
  secret: string;
  /** When it expires at the latest, in milliseconds since the epoch. */
  expiresMs: number;
}

type IssueSecretDeps = Pick<Deps, 'webCredentials' | 'now'>;

/** Stores a new credential of a user. */
export async function issueSecret(
  deps: IssueSecretDeps,
  context: RequestContext,
  given: { user: User; kind: CredentialKind; userAgent: string; times: SessionTimes },
): Promise<IssuedSecret & { id: number }> {
  const { user, ...rest } = given;
  const { credential, secret } = newCredential({
    ...rest,
    id: await deps.webCredentials.nextId(),
    userId: user.id,
    epoch: user.credentialEpoch ?? 0,
    clientAddress: context.clientAddress,
    nowMs: deps.now(),
  });
  await deps.webCredentials.insert(credential);
  return { id: credential.id, secret, expiresMs: credential.endsMs };
}

export type StartSessionDeps = Pick<Deps, 'users' | 'webCredentials' | 'audit' | 'now' | 'sessionTimes'>;

/**
 * Starts a session of an authenticated user. A password change between the proof and this write ends the session, because its epoch is that
 * of the proof.
 */
export async function startSession(
  deps: StartSessionDeps,
  context: RequestContext,
  user: User,
  userAgent: string,
): Promise<IssuedSecret> {
  await recordAudit(deps, context, { action: 'session.start', kind: 'user', id: user.id, actorId: user.id });
  await deps.users.noteSignIn(user.id, deps.now());
  return issueSecret(deps, context, { user, kind: 'session', userAgent, times: deps.sessionTimes });
}
