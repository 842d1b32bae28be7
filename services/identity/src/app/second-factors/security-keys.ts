import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { createHash } from 'node:crypto';
import { checkLine, Problems } from '../../domain/problems';
import {
  FACTOR_NAME_MAX,
  securityKeysOf,
  type SecondFactor,
  type SecurityKey,
} from '../../domain/sign-in/second-factor';
import type { User } from '../../domain/user';
import { isValid, looksLikeSecret, SECOND_FACTOR_MS, secretHash } from '../../domain/sign-in/web-credential';
import { announce } from '../audit/audit-action';
import { admitCode } from '../authentication/count-attempt';
import { requirePresence, type Presence } from '../authentication/require-presence';
import type { Deps, RequestContext } from '../deps';
import { fieldError, notFound, throwIfInvalid } from '../field-errors';
import { issueSecret } from '../sessions/start-session';
import {
  auditActionOf,
  factorsOf,
  requireOwner,
  summary,
  throwIfFull,
  type CreateSecondFactorDeps,
  type SecondFactorSummary,
} from './second-factors';

/** Longest response of a browser, in characters. */
const RESPONSE_MAX = 20_000;
/** The password comes before the key, so touching it suffices. */
const verification = 'discouraged';

type SecurityKeyDeps = CreateSecondFactorDeps & Pick<Deps, 'webCredentials'>;

const describe = ({ credentialId, transports }: SecurityKey) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
});

function checkName(context: RequestContext, name: string | undefined): void {
  const problems = new Problems(context.problems);
  checkLine(problems, 'name', name, FACTOR_NAME_MAX);
  throwIfInvalid(problems);
}

/**
 * Starts the registration of a security key. The challenge is stored and valid once, for five minutes.
 * @param input.origin of the site, such as https://example.com
 * @returns options for `navigator.credentials.create`, as JSON
 * @throws INVALID on name, password or code
 */
export async function startSecurityKey(
  deps: SecurityKeyDeps,
  context: RequestContext,
  input: { userId: number; name?: string; origin: string } & Presence,
): Promise<string> {
  const owner = await requireOwner(deps, context, input.userId);
  checkName(context, input.name);
  throwIfFull(owner);
  await requirePresence(deps, context, input);
  const times = { idleMs: SECOND_FACTOR_MS, absoluteMs: SECOND_FACTOR_MS };
  const { secret } = await issueSecret(deps, context, { user: owner, kind: 'security-key', userAgent: '', times });
  const options = await generateRegistrationOptions({
    rpName: 'Parlance',
    rpID: new URL(input.origin).hostname,
    userName: owner.username,
    userDisplayName: owner.fullName,
    userID: new Uint8Array(Buffer.from(`user ${owner.id}`)),
    challenge: new Uint8Array(Buffer.from(secret, 'base64url')),
    timeout: SECOND_FACTOR_MS,
    attestationType: 'none',
    excludeCredentials: securityKeysOf(owner).map(describe),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: verification },
  });
  return JSON.stringify(options);
}

function parseResponse<T>(text: string): T {
  const wrong = fieldError('response', 'invalid', 'The browser sent no response of a security key.');
  if (text.length > RESPONSE_MAX) throw wrong;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed as T;
  } catch {
    throw wrong;
  }
  throw wrong;
}

/**
 * Registers a security key by the response to the options. It needs no confirmation, because the response proves possession.
 * @throws INVALID on name or response
 */
export async function finishSecurityKey(
  deps: Pick<Deps, 'users' | 'webCredentials' | 'now'>,
  context: RequestContext,
  input: { userId: number; name?: string; response: string; origin: string },
): Promise<SecondFactorSummary> {
  const owner = await requireOwner(deps, context, input.userId);
  checkName(context, input.name);
  const response = parseResponse<RegistrationResponseJSON>(input.response);
  const securityKey = await registeredKey(response, input.origin, (challenge) => isOwn(deps, owner, challenge));
  const nowMs = deps.now();
  const factor: SecondFactor = {
    id: await deps.users.nextSecondFactorId(),
    name: input.name!,
    securityKey,
    createdMs: nowMs,
    confirmedMs: nowMs,
    lastUsedMs: 0,
    lastStep: -1,
  };
  const updated = await deps.users.update(owner.id, (user) => {
    if (user.deleted) throw notFound('The user');
    throwIfFull(user);
    if (securityKeysOf(user).some(({ credentialId }) => credentialId === securityKey.credentialId))
      throw fieldError('response', 'unique', 'This security key is registered already.');
    const next = { ...user, secondFactors: [...factorsOf(user), factor] };
    return { next, announce: announce(deps, context, auditActionOf('confirm', user, factor), [user.id]) };
  });
  if (!updated) throw notFound('The user');
  return summary(updated, factor);
}

/** Whether a challenge was issued to the user and not used before. */
async function isOwn(deps: Pick<Deps, 'webCredentials' | 'now'>, owner: User, challenge: string): Promise<boolean> {
  if (!looksLikeSecret(challenge)) return false;
  const issued = await deps.webCredentials.take('security-key', secretHash(challenge));
  return issued !== undefined && isValid(issued, owner, deps.now());
}

async function registeredKey(
  response: RegistrationResponseJSON,
  origin: string,
  expectedChallenge: (challenge: string) => Promise<boolean>,
): Promise<SecurityKey> {
  const wrong = (reason: string) => fieldError('response', 'invalid', `The security key was not accepted: ${reason}`);
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: false,
  }).catch((error: unknown) => {
    throw wrong(error instanceof Error ? error.message.slice(0, 200) : 'unknown error');
  });
  if (!verified.verified) throw wrong('its signature is wrong.');
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

/** The challenge of a pending sign-in. It is valid once, because completing the sign-in consumes the secret. */
const challengeOf = (secret: string): string => createHash('sha256').update(`webauthn ${secret}`).digest('base64url');

/** @returns options for `navigator.credentials.get` as JSON; '' for users without a security key */
export async function assertionOptions(user: User, secret: string, origin: string): Promise<string> {
  const keys = securityKeysOf(user);
  if (keys.length === 0) return '';
  const options = await generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    challenge: new Uint8Array(Buffer.from(challengeOf(secret), 'base64url')),
    timeout: SECOND_FACTOR_MS,
    allowCredentials: keys.map(describe),
    userVerification: verification,
  });
  return JSON.stringify(options);
}

/**
 * Accepts the response of a security key to the challenge of a pending sign-in. A wrong one counts like a wrong code.
 * @throws INVALID on response, THROTTLED after too many wrong ones
 */
export async function requireAssertion(
  deps: Pick<Deps, 'users' | 'now'>,
  user: User,
  given: { secret: string; response: string; origin: string },
): Promise<void> {
  const now = deps.now();
  admitCode(user, now);
  const response = parseResponse<AuthenticationResponseJSON>(given.response);
  const key = securityKeysOf(user).find(({ credentialId }) => credentialId === response.id);
  const counter = key && (await verifiedCounter(key, response, challengeOf(given.secret), given.origin));
  if (!key || counter === undefined) {
    await deps.users.update(user.id, (current) => {
      const wrong = admitCode(current, now);
      return { next: { ...current, wrongCodes: { ...wrong, count: wrong.count + 1 } }, announce: { audit: [] } };
    });
    throw fieldError('response', 'invalid', 'The security key was not accepted.');
  }
  await deps.users.update(user.id, (current) => ({
    next: {
      ...current,
      wrongCodes: { sinceMs: 0, count: 0 },
      secondFactors: factorsOf(current).map((factor) =>
        factor.securityKey?.credentialId === key.credentialId
          ? { ...factor, lastUsedMs: now, securityKey: { ...factor.securityKey, counter } }
          : factor,
      ),
    },
    announce: { audit: [] },
  }));
}

/** The counter of a valid response; undefined for an invalid one, such as that of a cloned authenticator. */
async function verifiedCounter(
  key: SecurityKey,
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  origin: string,
): Promise<number | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      credential: {
        ...describe(key),
        publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
        counter: key.counter,
      },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
