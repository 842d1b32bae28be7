import { serviceCaller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { externalKey, proofOf, type ExternalClaims } from '../../domain/sign-in/external-identity';
import { TakenError, type ExternalProvider } from '../../domain/ports';
import { Problems } from '../../domain/problems';
import { defaultSubscriptions } from '../../domain/notifications/subscription';
import { checkEmail, checkFullName, checkUsername, maySignIn, newUser, type User } from '../../domain/user';
import { looksLikeSecret } from '../../domain/sign-in/web-credential';
import { announce } from '../audit/audit-action';
import { notFound } from '../field-errors';
import { setMembership } from '../groups/change-membership';
import type { RequestContext, Deps } from '../deps';
import type { IssuedSecret, StartSessionDeps } from './start-session';
import { admit } from './sign-in';

/** @throws NOT_FOUND */
export function providerOf(deps: Pick<Deps, 'externalProvider'>): ExternalProvider {
  if (!deps.externalProvider) throw notFound('The provider');
  return deps.externalProvider;
}

export const refused = (message: string): ServiceError => new ServiceError('AUTHENTICATION_FAILED', { message });

/** @returns the address of the provider @throws NOT_FOUND, UNAVAILABLE */
export function startExternalSignIn(
  deps: Pick<Deps, 'externalProvider'>,
  input: { secret: string; redirectUri: string; next: string },
): Promise<string> {
  const provider = providerOf(deps);
  if (!looksLikeSecret(input.secret)) throw refused('The sign-in has expired. Start again.');
  return provider.authorizationAddress(proofOf(input.secret, input.next), input.redirectUri);
}

type ExternalSignInDeps = StartSessionDeps & Pick<Deps, 'groups' | 'externalProvider' | 'externalPolicy'>;

/**
 * Signs in the user of a person at the provider. A second factor of the user is still required, because sessions count as
 * protected by it.
 * @throws NOT_FOUND, AUTHENTICATION_FAILED with the reason, UNAVAILABLE
 */
export async function finishExternalSignIn(
  deps: ExternalSignInDeps,
  context: RequestContext,
  input: { secret: string; callback: string; next: string; userAgent: string },
): Promise<IssuedSecret & { needsCode: boolean }> {
  const provider = providerOf(deps);
  if (!looksLikeSecret(input.secret)) throw refused('The sign-in has expired. Start again.');
  const claims = await provider.claims(input.callback, proofOf(input.secret, input.next));
  // The provider acts here, not the anonymous caller.
  const acting = { ...context, caller: serviceCaller('openid-connect') };
  const user = await userOf(deps, acting, claims);
  if (!maySignIn(user, deps.now())) throw refused('Your account is not active.');
  return admit(deps, context, await followTeams(deps, acting, user, claims), input.userAgent);
}

/** The linked user; otherwise one that is linked or created now. */
async function userOf(deps: ExternalSignInDeps, context: RequestContext, claims: ExternalClaims): Promise<User> {
  const key = externalKey(claims);
  const known = await deps.users.byExternalKey(key);
  if (known) return known;
  try {
    return await link(deps, context, claims, key);
  } catch (error) {
    if (!(error instanceof TakenError)) throw error;
    // A concurrent sign-in of the same person was first, or another user got the mail address.
    const other = await deps.users.byExternalKey(key);
    if (other) return other;
    throw refused(OTHER_ACCOUNT);
  }
}

const OTHER_ACCOUNT =
  'An account with your mail address exists, but is not linked with this sign-in. Sign in with its password and link it in the profile.';

async function link(
  deps: ExternalSignInDeps,
  context: RequestContext,
  claims: ExternalClaims,
  key: string,
): Promise<User> {
  const { createUsers, linkByEmail } = deps.externalPolicy;
  // Anybody can state an address that is not verified.
  const email = claims.emailVerified && isClean((problems) => checkEmail(problems, claims.email)) ? claims.email : '';
  const owner = await deps.users.byEmail(email);
  if (!owner) {
    if (!createUsers) throw refused('You have no account here. Ask an administrator for one.');
    return createLinked(deps, context, claims, { email, key });
  }
  if (!linkByEmail || owner.isBot || owner.externalKey) throw refused(OTHER_ACCOUNT);
  const action = linkAction('link', owner, claims.issuer);
  const linked = await deps.users.update(owner.id, (user) =>
    user.externalKey ? undefined : { next: { ...user, externalKey: key }, announce: announce(deps, context, action) },
  );
  if (linked?.externalKey !== key) throw refused('Your account was linked with another sign-in in the meantime.');
  return linked;
}

/** The audit entry of a link. */
export const linkAction = (what: 'link' | 'unlink', { id }: User, issuer: string) => ({
  action: `user.${what}`,
  kind: 'user' as const,
  id,
  details: { user_id: id, issuer },
});

const isClean = (check: (problems: Problems) => void): boolean => {
  const problems = new Problems();
  check(problems);
  return problems.found.length === 0;
};

/** Highest number appended to a username that is taken. */
const NAMES_MAX = 100;

async function createLinked(
  deps: ExternalSignInDeps,
  context: RequestContext,
  claims: ExternalClaims,
  { email, key }: { email: string; key: string },
): Promise<User> {
  const id = await deps.users.nextId();
  const wanted = isClean((problems) => checkUsername(problems, claims.username)) ? claims.username : `user-${id}`;
  const autoJoined = await deps.groups.autoJoined();
  const user = newUser({
    id,
    username: wanted,
    fullName: isClean((problems) => checkFullName(problems, claims.fullName)) ? claims.fullName : wanted,
    email: email === '' ? null : email,
    nowMs: deps.now(),
    groups: autoJoined.map((group) => group.id),
    subscriptionIds: await deps.users.nextSubscriptionIds(defaultSubscriptions.length),
  });
  const details = { user_id: id, issuer: claims.issuer };
  const announcement = announce(deps, context, { action: 'user.create', kind: 'user', id, details }, [id]);
  for (let number = 1; number <= NAMES_MAX; number++) {
    const username = number === 1 ? wanted : `${wanted.slice(0, 140)}-${number}`;
    const named = { ...user, username, externalKey: key };
    try {
      await deps.users.insert(named, announcement);
      return named;
    } catch (error) {
      if (!(error instanceof TakenError) || error.field !== 'username') throw error;
    }
  }
  throw refused('Your user name is taken. Ask an administrator for an account.');
}

/** Adds the user to the teams of the claim and removes it from the other teams of the mapping. Other teams are untouched. */
async function followTeams(
  deps: ExternalSignInDeps,
  context: RequestContext,
  user: User,
  { teams }: ExternalClaims,
): Promise<User> {
  const mapping = deps.externalPolicy.teams;
  const wanted = new Set(teams.map((value) => mapping.get(value)));
  let current = user;
  for (const group of await deps.groups.many([...new Set(mapping.values())]))
    if (!group.deleted) current = await setMembership(deps, context, user.id, group, wanted.has(group.id));
  return current;
}
