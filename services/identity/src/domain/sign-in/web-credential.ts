import { createHash, randomBytes } from 'node:crypto';

/**
 * Purpose of a secret: a session, a sign-in that waits for a second factor, a new password, the challenge to a new security key, or a link
 * with an OpenID Connect account.
 */
export const credentialKinds = ['session', 'second-factor', 'password-reset', 'security-key', 'external-link'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** A random secret that a browser or a mail holds. Only its digest is stored. */
export interface WebCredential {
  id: number;
  kind: CredentialKind;
  /** SHA-256 in hex. The secret has 256 random bits, so a slow hash is unnecessary. */
  hash: string;
  userId: number;
  /** `credentialEpoch` of the user; a later one ends the credential. */
  epoch: number;
  createdMs: number;
  /** Exact to LAST_USE_STEP_MS. */
  lastSeenMs: number;
  /** End, however often it is used. */
  endsMs: number;
  /** End without further use. */
  expiresMs: number;
  clientAddress: string;
  userAgent: string;
}

/** Lifetimes of sessions, in milliseconds. */
export interface SessionTimes {
  /** Without a request. */
  idleMs: number;
  /** Since the sign-in. */
  absoluteMs: number;
}

/** Time to enter the code of a second factor, to use a security key, or to sign in at the provider for a link. */
export const SECOND_FACTOR_MS = 5 * 60_000;
/** Validity of the link of a password reset. */
export const PASSWORD_RESET_MS = 60 * 60_000;

const USER_AGENT_MAX = 300;
const pattern = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of a secret; others need no store lookup. */
export function looksLikeSecret(text: string): boolean {
  return pattern.test(text);
}

export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

type NewCredential = Pick<WebCredential, 'id' | 'kind' | 'userId' | 'epoch' | 'clientAddress' | 'userAgent'> & {
  nowMs: number;
  times: SessionTimes;
};

/** Generates a credential. Its secret is given to the browser and not stored. */
export function newCredential(given: NewCredential): { credential: WebCredential; secret: string } {
  const { nowMs, times, userAgent, ...rest } = given;
  const secret = randomBytes(32).toString('base64url');
  const endsMs = nowMs + times.absoluteMs;
  const credential = {
    ...rest,
    hash: secretHash(secret),
    createdMs: nowMs,
    lastSeenMs: nowMs,
    endsMs,
    expiresMs: expiryOf(endsMs, nowMs, times),
    userAgent: userAgent.slice(0, USER_AGENT_MAX),
  };
  return { credential, secret };
}

/** When a credential that was used at a time expires. */
export function expiryOf(endsMs: number, usedMs: number, { idleMs }: Pick<SessionTimes, 'idleMs'>): number {
  return Math.min(endsMs, usedMs + idleMs);
}

/** Whether a credential of a user is accepted at a time. The user's own state is checked by `maySignIn`. */
export function isValid(
  credential: Pick<WebCredential, 'userId' | 'epoch' | 'expiresMs'>,
  user: { id: number; credentialEpoch?: number },
  nowMs: number,
): boolean {
  const { userId, epoch, expiresMs } = credential;
  return userId === user.id && epoch === (user.credentialEpoch ?? 0) && expiresMs > nowMs;
}
